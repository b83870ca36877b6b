import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

type Listener = (...args: unknown[]) => void;

const TAB = 7;

/** The debugger of a browser with one tab, whose document wrote something before. */
async function recorded() {
  vi.resetModules();
  vi.useFakeTimers();
  const listeners: Record<string, Listener[]> = {
    event: [],
    detach: [],
    removed: [],
    replaced: [],
  };
  const on = (kind: string) => ({
    addListener: (listener: Listener) => void listeners[kind]?.push(listener),
  });
  const say = (kind: string, ...args: unknown[]) => {
    for (const listener of listeners[kind] ?? []) listener(...args);
  };
  const sent: string[] = [];
  let failing = "";
  let hanging = "";
  vi.stubGlobal("chrome", {
    storage: { session: { get: async (defaults: object) => defaults, set: async () => {} } },
    tabs: {
      get: async () => ({ url: "http://a/" }),
      onRemoved: on("removed"),
      onReplaced: on("replaced"),
      onUpdated: on("updated"),
    },
    debugger: {
      onEvent: on("event"),
      onDetach: on("detach"),
      getTargets: async () => [],
      attach: async () => void sent.push("attach"),
      detach: async () => void sent.push("detach"),
      sendCommand: async ({ sessionId }: { sessionId?: string }, method: string) => {
        sent.push(sessionId ? `${sessionId}: ${method}` : method);
        if (sessionId && sessionId === hanging) return new Promise(() => {});
        if (method === failing) throw new Error("no");
        if (method === "Log.enable") say("event", { tabId: TAB }, "Log.entryAdded", "before");
        return {};
      },
    },
  });
  const { watchDebugger } = await import("./debugger");
  watchDebugger(
    () => {},
    () => {},
  );
  const { Recording } = await import("./recording");
  const another = () => {
    const recording = new Recording([{ method: "Log.enable" }], () => {
      const heard: unknown[] = [];
      return { heard, hear: (_method: string, params: unknown) => void heard.push(params) };
    });
    recording.watch();
    return recording;
  };
  const recording = another();
  const hang = (sessionId: string) => {
    hanging = sessionId;
  };
  const fail = (method: string) => {
    failing = method;
  };
  return { recording, another, say, sent, fail, hang };
}

let browser: Awaited<ReturnType<typeof recorded>>;

beforeEach(async () => {
  browser = await recorded();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a recording of a tab", () => {
  it("begins with the first question, whose answer holds what came before it", async () => {
    browser.say("event", { tabId: TAB }, "Log.entryAdded", "too early");
    const { heard } = await browser.recording.of(TAB);
    expect(heard).toEqual(["before"]);
    browser.say("event", { tabId: TAB }, "Log.entryAdded", "live");
    browser.say("event", { tabId: TAB + 1 }, "Log.entryAdded", "elsewhere");
    expect((await browser.recording.of(TAB)).heard).toEqual(["before", "live"]);
    expect(browser.sent.filter((method) => method === "Log.enable")).toHaveLength(1);
  });

  it("begins once for two questions at once", async () => {
    await Promise.all([browser.recording.of(TAB), browser.recording.of(TAB)]);
    expect(browser.sent.filter((method) => method === "Log.enable")).toHaveLength(1);
  });

  it("stays when the debugger lets go, and goes on when it attaches again", async () => {
    const { heard } = await browser.recording.of(TAB);
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    expect(browser.sent.at(-1)).toBe("detach");
    expect((await browser.recording.of(TAB)).heard).toBe(heard);
    const again = browser.sent.slice(browser.sent.indexOf("detach"));
    expect(again.indexOf("Log.enable")).toBeGreaterThan(again.indexOf("attach"));
    expect(heard).toEqual(["before", "before"]);
  });

  it("is forgotten with its tab", async () => {
    const { heard } = await browser.recording.of(TAB);
    browser.say("removed", TAB);
    expect((await browser.recording.of(TAB)).heard).not.toBe(heard);
  });

  it("goes on in the tab that takes its tab's place", async () => {
    const { heard } = await browser.recording.of(TAB);
    browser.say("replaced", TAB + 1, TAB);
    expect((await browser.recording.of(TAB + 1)).heard).toBe(heard);
    const again = browser.sent.slice(browser.sent.lastIndexOf("attach"));
    expect(again).toContain("Log.enable");
  });

  it("is tried again after it could not begin", async () => {
    browser.fail("Log.enable");
    await expect(browser.recording.of(TAB)).rejects.toThrow("no");
    browser.fail("");
    expect((await browser.recording.of(TAB)).heard).toEqual(["before"]);
  });

  it("listens in frames that have a session of their own, and so does the next one", async () => {
    const announce = (sessionId: string) =>
      browser.say("event", { tabId: TAB }, "Target.attachedToTarget", { sessionId });
    const { heard } = await browser.recording.of(TAB);
    announce("frame");
    await browser.recording.of(TAB);
    const listening = ["frame: Log.enable", "frame: Target.setAutoAttach"];
    expect(browser.sent.filter((sent) => sent.startsWith("frame"))).toEqual(listening);
    browser.say("event", { tabId: TAB, sessionId: "frame" }, "Log.entryAdded", "in a frame");
    expect(heard).toContain("in a frame");
    await browser.another().of(TAB);
    expect(browser.sent.filter((sent) => sent.startsWith("frame"))).toHaveLength(4);
  });

  it("waits for no frame that is busy", async () => {
    await browser.recording.of(TAB);
    browser.hang("busy");
    browser.say("event", { tabId: TAB }, "Target.attachedToTarget", { sessionId: "busy" });
    const answer = browser.recording.of(TAB);
    await vi.advanceTimersByTimeAsync(300);
    expect((await answer).heard).toContain("before");
  });
});
