import { afterEach, beforeEach, expect, it, vi } from "vitest";

const TAB = 7;

type Listener = (source: { tabId?: number }, method?: string) => void;

const sent: boolean[] = [];
const sendDebuggerCommand = vi.fn(async (_tab, _method, { enabled }: { enabled: boolean }) => {
  sent.push(enabled);
});
let listeners: Record<"event" | "detach", Listener[]>;

async function watched() {
  vi.resetModules();
  const isDebugged = () => true;
  vi.doMock("./debugger", () => ({ FILE_CHOOSERS: "choosers", isDebugged, sendDebuggerCommand }));
  const choosers = await import("./file-choosers");
  choosers.watchFileChoosers();
  return choosers;
}

beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  listeners = { event: [], detach: [] };
  const event = (name: "event" | "detach") => ({
    addListener: (listener: Listener) => listeners[name].push(listener),
  });
  vi.stubGlobal("chrome", {
    debugger: { onEvent: event("event"), onDetach: event("detach") },
    tabs: { onRemoved: { addListener: () => {} } },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("holds windows back as long as inputs come, and lets them go for the user after", async () => {
  const { holdFileChoosers } = await watched();
  await holdFileChoosers(TAB);
  await vi.advanceTimersByTimeAsync(2_000);
  await holdFileChoosers(TAB);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent).toEqual([true]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toEqual([true, false]);
  await holdFileChoosers(TAB);
  expect(sent).toEqual([true, false, true]);
});

it("holds them back anew once another debugger came", async () => {
  const { holdFileChoosers } = await watched();
  await holdFileChoosers(TAB);
  for (const tell of listeners.detach) tell({ tabId: TAB });
  await holdFileChoosers(TAB);
  expect(sent).toEqual([true, true]);
});

it("tells that a page asked, from then on", async () => {
  const { wantsFilesSince } = await watched();
  const before = Date.now();
  expect(wantsFilesSince(TAB, before)).toBe(false);
  for (const tell of listeners.event) tell({ tabId: TAB }, "Page.fileChooserOpened");
  expect(wantsFilesSince(TAB, before)).toBe(true);
  expect(wantsFilesSince(TAB + 1, before)).toBe(false);
  expect(wantsFilesSince(TAB, before + 1)).toBe(false);
});
