import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { STATUS_PORT, type WorkerOrder } from "../worker-channel";
import { StatusDesk, type Worker } from "./status-desk";

vi.mock("./link/log", () => ({ logLines: () => [] }));
vi.mock("./gestures", () => ({ noteGesture: () => {} }));

const ID = "own";
const panelOutOfSight = vi.fn();

interface Page {
  say(order: WorkerOrder): void;
  leave(): void;
}
let opened: (port: unknown) => void;
let desk: StatusDesk;

beforeEach(() => {
  vi.useFakeTimers();
  panelOutOfSight.mockReset();
  vi.stubGlobal("chrome", {
    runtime: {
      id: ID,
      onConnect: {
        addListener: (listener: typeof opened) => {
          opened = listener;
        },
      },
    },
    storage: { local: { get: async (defaults: object) => defaults } },
  });
  vi.stubGlobal("fetch", async () => new Response(null, { status: 404 }));
  const worker: Partial<Worker> = {
    view: () => ({ state: "connected", problem: "", isThroughHost: false }),
    helm: () => ({ state: undefined, isStopped: false, order: () => {} }),
    tracker: () => undefined,
    debuggedTabs: () => 0,
    panelOutOfSight,
  };
  desk = new StatusDesk(worker as Worker);
  desk.open();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(page: string): Page {
  const origin = `chrome-extension://${ID}`;
  let hear: (order: WorkerOrder) => void = () => {};
  let leave: () => void = () => {};
  opened({
    name: STATUS_PORT,
    sender: { id: ID, origin, url: `${origin}/${page}` },
    postMessage: () => {},
    onMessage: {
      addListener: (listener: typeof hear) => {
        hear = listener;
      },
    },
    onDisconnect: {
      addListener: (listener: typeof leave) => {
        leave = listener;
      },
    },
  });
  return { say: (order) => hear(order), leave: () => leave() };
}

const seen: WorkerOrder = { order: "inSight", isInSight: true };
const unseen: WorkerOrder = { order: "inSight", isInSight: false };

describe("a panel", () => {
  it("is in sight once it says so, and until it says otherwise", () => {
    const panel = open("sidepanel.html");
    expect(desk.panelIsInSight).toBe(false);
    panel.say(seen);
    expect(desk.panelIsInSight).toBe(true);
    panel.say(unseen);
    expect(desk.panelIsInSight).toBe(false);
    vi.advanceTimersByTime(500);
    expect(panelOutOfSight).toHaveBeenCalledOnce();
  });

  it("is out of sight once it is closed", () => {
    const panel = open("sidepanel.html");
    panel.say(seen);
    panel.leave();
    expect(desk.panelIsInSight).toBe(false);
    vi.advanceTimersByTime(500);
    expect(panelOutOfSight).toHaveBeenCalledOnce();
  });

  it("that is loaded anew was in sight all along, and so was one beside another", () => {
    const panel = open("sidepanel.html");
    panel.say(seen);
    panel.leave();
    open("sidepanel.html").say(seen);
    const another = open("sidepanel.html");
    another.say(seen);
    another.leave();
    vi.advanceTimersByTime(500);
    expect(panelOutOfSight).not.toHaveBeenCalled();
  });

  it("is none where the page is no panel that the user opened", () => {
    for (const page of ["sidepanel.html?window", "sidepanel.html?front", "popup.html"]) {
      open(page).say(seen);
    }
    expect(desk.panelIsInSight).toBe(false);
  });
});
