import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const world = vi.hoisted(() => ({
  sent: [] as string[],
  isHeadless: false,
  active: new Set<number>(),
  refuse: undefined as Error | undefined,
}));
vi.mock("./debugger", () => ({
  isDebugged: () => true,
  sendDebuggerCommand: async (tabId: number, method: string) => {
    world.sent.push(`${method.replace("Page.", "").replace("Screencast", "")} ${tabId}`);
    if (method === "Page.startScreencast" && world.refuse) throw world.refuse;
  },
}));
vi.mock("./headless", () => ({ isHeadless: () => world.isHeadless }));
vi.mock("./reachable", () => ({
  recentTab: (tabId: number) => ({ active: world.active.has(tabId) }),
}));

type Listener = (...args: never[]) => void;
let detached: (source: { tabId?: number }) => void;
let activated: (info: { tabId: number }) => void;
let events: Set<Listener>;
let drawing: typeof import("./drawing");

beforeEach(async () => {
  vi.useFakeTimers();
  Object.assign(world, { sent: [], isHeadless: false, active: new Set(), refuse: undefined });
  events = new Set();
  vi.stubGlobal("chrome", {
    debugger: {
      onDetach: {
        addListener: (listener: typeof detached) => {
          detached = listener;
        },
      },
      onEvent: {
        addListener: (listener: Listener) => void events.add(listener),
        removeListener: (listener: Listener) => void events.delete(listener),
      },
    },
    tabs: {
      onActivated: {
        addListener: (listener: typeof activated) => {
          activated = listener;
        },
      },
    },
  });
  vi.resetModules();
  drawing = await import("./drawing");
  drawing.watchDrawing();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function frame(tabId: number): void {
  for (const listener of events) {
    (listener as (source: object, method: string) => void)({ tabId }, "Page.screencastFrame");
  }
}

describe("a tab", () => {
  it("is drawn while something needs it, once for all who do", async () => {
    const done: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => done.push(resolve));
    const both = [drawing.whileDrawn(7, work), drawing.whileDrawn(7, work)];
    await vi.waitFor(() => expect(done).toHaveLength(2));
    expect(world.sent).toEqual(["start 7"]);
    done[0]?.();
    await Promise.race(both);
    expect(world.sent).toEqual(["start 7"]);
    done[1]?.();
    await Promise.all(both);
    expect(world.sent).toEqual(["start 7", "stop 7"]);
  });

  it("is let go of also where the work fails, or drawing can't begin", async () => {
    const fail = () => Promise.reject(new Error("No."));
    await expect(drawing.whileDrawn(7, fail)).rejects.toThrow("No.");
    expect(world.sent).toEqual(["start 7", "stop 7"]);
    world.refuse = new Error("Not attached.");
    await expect(drawing.whileDrawn(8, async () => {})).rejects.toThrow("Not attached.");
    world.refuse = undefined;
    await drawing.whileDrawn(8, async () => {});
    expect(world.sent.filter((each) => each === "start 8")).toHaveLength(2);
  });

  it("that is drawn by somebody else's screencast is drawn", async () => {
    world.refuse = new Error("Screencast is already active.");
    expect(await drawing.whileDrawn(7, async () => "done")).toBe("done");
  });

  it("in front needs nothing where there is no screen, until another comes to the front", async () => {
    world.isHeadless = true;
    world.active.add(7);
    let end = () => {};
    const work = drawing.whileDrawn(
      7,
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect(world.sent).toEqual([]);
    activated({ tabId: 8 });
    expect(world.sent).toEqual(["start 7"]);
    end();
    await work;
    expect(world.sent).toEqual(["start 7", "stop 7"]);
  });

  it("stays drawn for a while after an action, and each one makes it longer", async () => {
    drawing.stayDrawn(7);
    await vi.advanceTimersByTimeAsync(4_000);
    drawing.stayDrawn(7);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(world.sent).toEqual(["start 7"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.sent).toEqual(["start 7", "stop 7"]);
  });

  it("rests once nothing moves, unless more of the pointer is to come", async () => {
    drawing.stayDrawn(7);
    await vi.advanceTimersByTimeAsync(0);
    drawing.endStay(7);
    expect(world.sent).toEqual(["start 7", "stop 7"]);
    drawing.stayDrawn(8, true);
    await vi.advanceTimersByTimeAsync(0);
    drawing.endStay(8);
    expect(world.sent.slice(2)).toEqual(["start 8"]);
  });

  it("whose debugger is gone is drawn anew the next time", async () => {
    drawing.stayDrawn(7);
    await vi.advanceTimersByTimeAsync(0);
    detached({ tabId: 7 });
    drawing.stayDrawn(7);
    await vi.advanceTimersByTimeAsync(0);
    expect(world.sent).toEqual(["start 7", "start 7"]);
  });
});

describe("before the pointer moves", () => {
  it("a first picture is waited for, but not for long", async () => {
    let isReady = false;
    void drawing.drawAhead(7).then(() => {
      isReady = true;
    });
    await vi.advanceTimersByTimeAsync(10);
    frame(8);
    await vi.advanceTimersByTimeAsync(0);
    expect(isReady).toBe(false);
    frame(7);
    await vi.advanceTimersByTimeAsync(0);
    expect(isReady).toBe(true);
    const late = drawing.drawAhead(8);
    await vi.advanceTimersByTimeAsync(250);
    await late;
    expect(events.size).toBe(0);
  });

  it("no debugger is no reason to stop", async () => {
    const { Refused } = await import("../protocol/refused");
    world.refuse = new Refused("debugger_refused", "Another debugger is attached.");
    await drawing.drawAhead(7);
    world.refuse = new Error("Something else.");
    await expect(drawing.drawAhead(8)).rejects.toThrow("Something else.");
  });
});
