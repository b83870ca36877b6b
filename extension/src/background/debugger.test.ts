import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const TAB = 7;
const METHOD = "DOM.enable";
const IDLE_MS = 5 * 60_000;

type Listener = (...args: never[]) => void;

/** A browser with a debugger, and what of it outlives a worker. */
function makeBrowser() {
  const stored: Record<string, unknown> = {};
  const attachedTo = new Set<number>();
  const listeners = new Map<string, Listener[]>();
  const event = (name: string) => ({
    addListener: (listener: Listener) =>
      listeners.set(name, [...(listeners.get(name) ?? []), listener]),
  });
  const sent: string[] = [];
  const browser = {
    stored,
    attachedTo,
    sent,
    /** Somebody else's debugger is on every tab. */
    isTaken: false,
    attaches: 0,
    fire(name: string, ...args: unknown[]) {
      for (const listener of listeners.get(name) ?? []) listener(...(args as never[]));
    },
    /** Another worker, which knows nothing but what is stored. */
    forgetWorker() {
      listeners.clear();
    },
    chrome: {
      runtime: { id: "us" },
      storage: {
        session: {
          get: async (defaults: object) => ({ ...defaults, ...structuredClone(stored) }),
          set: async (values: object) => void Object.assign(stored, values),
        },
      },
      tabs: {
        get: async (id: number) => ({ id, url: "https://a.example/", status: "complete" }),
        onRemoved: event("removed"),
        onUpdated: event("updated"),
        onReplaced: event("replaced"),
      },
      debugger: {
        onEvent: event("event"),
        onDetach: event("detach"),
        getTargets: async () => [...attachedTo].map((tabId) => ({ tabId, attached: true })),
        attach: async ({ tabId }: { tabId: number }) => {
          browser.attaches += 1;
          if (browser.isTaken || attachedTo.has(tabId)) {
            throw new Error(`Another debugger is already attached to the tab with id: ${tabId}.`);
          }
          attachedTo.add(tabId);
        },
        detach: async ({ tabId }: { tabId: number }) => void attachedTo.delete(tabId),
        sendCommand: async ({ tabId }: { tabId: number }, method: string) => {
          if (!attachedTo.has(tabId)) throw new Error("Debugger is not attached to the tab.");
          sent.push(method);
          return {};
        },
      },
    },
  };
  return browser;
}

let browser: ReturnType<typeof makeBrowser>;

async function startWorker() {
  vi.resetModules();
  browser.forgetWorker();
  const worker = await import("./debugger");
  worker.watchDebugger(
    () => {},
    () => {},
  );
  return worker;
}

/** The user presses Cancel in the debugging bar. */
function cancelBar(tabId: number): void {
  browser.attachedTo.delete(tabId);
  browser.fire("detach", { tabId }, "canceled_by_user");
}

beforeEach(() => {
  vi.useFakeTimers();
  browser = makeBrowser();
  vi.stubGlobal("chrome", browser.chrome);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the debugger", () => {
  it("attaches on first need, and once", async () => {
    const worker = await startWorker();
    expect(browser.attachedTo.size).toBe(0);
    await Promise.all([1, 2, 3].map(() => worker.sendDebuggerCommand(TAB, METHOD)));
    expect(browser.attaches).toBe(1);
    expect(worker.isDebugged(TAB)).toBe(true);
  });

  it("lets go when idle, counted from the last command", async () => {
    const worker = await startWorker();
    await worker.sendDebuggerCommand(TAB, METHOD);
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1_000);
    await worker.sendDebuggerCommand(TAB, METHOD);
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1_000);
    expect(browser.attachedTo.has(TAB)).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(browser.attachedTo.has(TAB)).toBe(false);
    expect(worker.isDebugged(TAB)).toBe(false);
  });

  it("switches on again what holds on, after it was let go", async () => {
    const worker = await startWorker();
    const standing = { method: "Emulation.setLocaleOverride", params: { locale: "de" } };
    await worker.keepSwitchedOn(TAB, [standing]);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    browser.sent.length = 0;
    await worker.sendDebuggerCommand(TAB, METHOD);
    expect(browser.sent.indexOf(standing.method)).toBeGreaterThan(-1);
    expect(browser.sent.indexOf(standing.method)).toBeLessThan(browser.sent.indexOf(METHOD));
  });

  it("carries what holds on over to the tab that took another's place", async () => {
    const worker = await startWorker();
    await worker.keepSwitchedOn(TAB, [{ method: "Emulation.setLocaleOverride" }]);
    browser.attachedTo.delete(TAB);
    browser.fire("replaced", TAB + 1, TAB);
    expect(worker.isDebugged(TAB)).toBe(false);
    browser.sent.length = 0;
    await worker.sendDebuggerCommand(TAB + 1, METHOD);
    expect(browser.sent).toContain("Emulation.setLocaleOverride");
  });

  it("goes on with what a worker before was attached to, and lets go of it in time", async () => {
    await (await startWorker()).sendDebuggerCommand(TAB, METHOD);
    vi.clearAllTimers();
    const worker = await startWorker();
    await vi.advanceTimersByTimeAsync(0);
    expect(worker.isDebugged(TAB)).toBe(true);
    await worker.sendDebuggerCommand(TAB, METHOD);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(browser.attachedTo.has(TAB)).toBe(false);
  });

  it("says that another one is attached, and tries again after a while", async () => {
    const worker = await startWorker();
    browser.isTaken = true;
    const refused = { code: "debugger_refused", message: /Another debugger/ };
    const send = () => worker.sendDebuggerCommand(TAB, METHOD);
    await expect(send()).rejects.toMatchObject(refused);
    await expect(send()).rejects.toBeInstanceOf(worker.DebuggerUnavailable);
    expect(browser.attaches).toBe(1);
    browser.isTaken = false;
    await vi.advanceTimersByTimeAsync(3_000);
    await send();
  });

  it("says what it may mean that Chrome let go in the middle", async () => {
    const worker = await startWorker();
    browser.chrome.debugger.sendCommand = async () => {
      throw new Error("Detached while handling command.");
    };
    browser.chrome.debugger.attach = async () => {};
    await expect(worker.sendDebuggerCommand(TAB, METHOD)).rejects.toMatchObject({
      code: "outcome_unknown",
      message: /asks the user/,
    });
  });
});

describe("after the user cancelled the bar", () => {
  const refused = { code: "debugger_refused", message: /cancelled debugging/ };

  it("it never attaches again by itself, not even with another worker", async () => {
    const first = await startWorker();
    await first.sendDebuggerCommand(TAB, METHOD);
    cancelBar(TAB);
    await expect(first.sendDebuggerCommand(TAB, METHOD)).rejects.toMatchObject(refused);
    await expect(first.attachIfPossible(TAB)).rejects.toMatchObject(refused);
    const second = await startWorker();
    await expect(second.sendDebuggerCommand(TAB, METHOD)).rejects.toMatchObject(refused);
    expect(browser.attaches).toBe(1);
    await second.sendDebuggerCommand(TAB + 1, METHOD);
  });

  it("what was sent before that was heard of says so", async () => {
    const worker = await startWorker();
    await worker.sendDebuggerCommand(TAB, METHOD);
    // Chrome let go already, and its word of that arrives together with the answer.
    browser.chrome.debugger.sendCommand = async () => {
      cancelBar(TAB);
      throw new Error(`Debugger is not attached to the tab with id: ${TAB}.`);
    };
    await expect(worker.sendDebuggerCommand(TAB, METHOD)).rejects.toMatchObject({
      code: "outcome_unknown",
      message: /The user cancelled debugging/,
    });
    expect(browser.attaches).toBe(1);
  });

  it("the tab that takes its place is not attached to either", async () => {
    const worker = await startWorker();
    await worker.sendDebuggerCommand(TAB, METHOD);
    cancelBar(TAB);
    browser.fire("replaced", TAB + 1, TAB);
    await expect(worker.sendDebuggerCommand(TAB + 1, METHOD)).rejects.toMatchObject(refused);
  });

  it("only the tabs that the user lets go on are attached to again", async () => {
    const worker = await startWorker();
    for (const tab of [TAB, TAB + 1]) {
      await worker.sendDebuggerCommand(tab, METHOD);
      cancelBar(tab);
    }
    worker.forgiveTabs([TAB]);
    await worker.sendDebuggerCommand(TAB, METHOD);
    await expect(worker.sendDebuggerCommand(TAB + 1, METHOD)).rejects.toMatchObject(refused);
    worker.forgiveCancelledTabs();
    await worker.sendDebuggerCommand(TAB + 1, METHOD);
  });
});
