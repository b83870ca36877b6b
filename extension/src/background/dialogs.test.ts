import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

type Listener = (source: { tabId?: number }, method: string, params?: object) => void;

const TAB = 7;
const never = () => new Promise<never>(() => {});

async function watched() {
  vi.resetModules();
  const listeners: Listener[] = [];
  const sendCommand = vi.fn(async () => ({}));
  vi.stubGlobal("chrome", {
    debugger: {
      onEvent: { addListener: (listener: Listener) => listeners.push(listener) },
      onDetach: { addListener: () => {} },
      sendCommand,
    },
  });
  const dialogs = await import("./dialogs");
  dialogs.watchDialogs();
  const say = (method: string, params?: object) => {
    for (const listener of listeners)
      listener({ tabId: TAB }, `Page.javascriptDialog${method}`, params);
  };
  return { ...dialogs, say, sendCommand };
}

let page: Awaited<ReturnType<typeof watched>>;

beforeEach(async () => {
  page = await watched();
});
afterEach(() => vi.unstubAllGlobals());

describe("while a dialog of a page is open", () => {
  const opened = { code: "dialog_open", details: { by: "alert: Hello" } };
  const open = (type = "alert") => page.say("Opening", { type, message: "Hello" });

  it("what waits for the page is refused at once, and so is what comes after", async () => {
    const pending = page.unlessDialog(TAB, never);
    open();
    await expect(pending).rejects.toMatchObject(opened);
    await expect(page.unlessDialog(TAB, never)).rejects.toMatchObject(opened);
  });

  it("other tabs go on", async () => {
    open();
    expect(await page.unlessDialog(TAB + 1, async () => "done")).toBe("done");
  });

  it.each([
    ["Enter", true],
    ["Escape", false],
  ])("%s answers it, and the page sees nothing of the key", async (key, accept) => {
    open();
    expect(await page.answerByKey(TAB, { type: "keyDown", key })).toBe(true);
    expect(page.sendCommand).toHaveBeenCalledWith({ tabId: TAB }, "Page.handleJavaScriptDialog", {
      accept,
    });
    expect(await page.answerByKey(TAB, { type: "keyUp", key })).toBe(true);
    expect(await page.answerByKey(TAB, { type: "keyDown", key })).toBe(false);
    expect(await page.unlessDialog(TAB, async () => "done")).toBe("done");
  });

  it("another key answers nothing", async () => {
    open();
    expect(await page.answerByKey(TAB, { type: "keyDown", key: "a" })).toBe(false);
    expect(page.sendCommand).not.toHaveBeenCalled();
  });

  it("a second one that follows the first is not forgotten", async () => {
    open();
    page.sendCommand.mockImplementationOnce(async () => {
      page.say("Closed");
      page.say("Opening", { type: "confirm", message: "Sure?" });
      return {};
    });
    await page.answerByKey(TAB, { type: "keyDown", key: "Enter" });
    const next = page.unlessDialog(TAB, never);
    await expect(next).rejects.toMatchObject({ details: { by: "confirm: Sure?" } });
  });

  it("whoever leaves the page answers for it", async () => {
    const left = page.whileDeciding(
      TAB,
      () => true as const,
      async () => {
        open("beforeunload");
        return "left";
      },
    );
    expect(await left).toBe("left");
    expect(page.sendCommand).toHaveBeenCalledOnce();
  });

  it("a storm of them is told with the way out", async () => {
    for (let count = 1; count < 5; count += 1) open();
    await expect(page.unlessDialog(TAB, never)).rejects.not.toThrow(/dialog number/);
    open();
    await expect(page.unlessDialog(TAB, never)).rejects.toThrow(
      /dialog number 5 .*browser_navigate/,
    );
  });

  it("a text is for prompts only, and one that is none is refused it", async () => {
    open("confirm");
    await expect(page.handleDialog(TAB, true, "x")).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    expect(await page.handleDialog(TAB, false, undefined)).toEqual({ kind: "confirm" });
    await expect(page.handleDialog(TAB, true, undefined)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("its words are cut where they would drown everything else", async () => {
    page.say("Opening", { type: "alert", message: "x".repeat(1_000) });
    const by = `alert: ${"x".repeat(300)}`;
    await expect(page.unlessDialog(TAB, never)).rejects.toMatchObject({ details: { by } });
  });
});
