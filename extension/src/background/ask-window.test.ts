import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { UserRequest } from "../protocol/generated";
import { AskWindow } from "./ask-window";

const WINDOW = { url: "sidepanel.html?window", type: "popup", width: 400, height: 640 };
const IN_USE = { id: 1, focused: true, left: 500, top: 20, width: 900, height: 800 };

let panelIsInSight: boolean;
let isAsked: boolean;
let stored: Record<string, unknown>;
let open: Set<number>;
const create = vi.fn();
const openSidePanel = vi.fn();
const update = vi.fn();
const remove = vi.fn();

beforeEach(() => {
  panelIsInSight = false;
  isAsked = true;
  stored = {};
  open = new Set([1]);
  create.mockReset().mockImplementation(async () => {
    const id = 10 + create.mock.calls.length;
    open.add(id);
    return { id };
  });
  update.mockReset().mockImplementation(async (id: number) => {
    if (!open.has(id)) throw new Error("No window with that id.");
  });
  remove.mockReset().mockImplementation(async (id: number) => void open.delete(id));
  openSidePanel.mockReset().mockRejectedValue(new Error("No gesture."));
  vi.stubGlobal("chrome", {
    sidePanel: { open: openSidePanel },
    windows: { create, update, remove, getLastFocused: async () => IN_USE },
    storage: {
      session: {
        // As Chrome does, which has no `undefined`.
        get: async (defaults: object) => JSON.parse(JSON.stringify({ ...defaults, ...stored })),
        set: async (changes: object) => {
          stored = JSON.parse(JSON.stringify({ ...stored, ...changes }));
        },
      },
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const worker = () =>
  new AskWindow(
    () => panelIsInSight,
    () => isAsked,
  );
const request = (id: number, what = "Please log in."): UserRequest => ({
  id,
  session: "a",
  client: "cursor",
  kind: "human",
  what,
});

describe("the window for asking", () => {
  it("opens for a request when no panel is open, without taking the focus", async () => {
    await worker().ask([request(1)]);
    expect(create.mock.calls).toEqual([[{ ...WINDOW, left: 1400, top: 20, focused: false }]]);
  });

  it("opens on the other side where there is no room, and anywhere at last", async () => {
    create.mockRejectedValueOnce(new Error("Invalid value for bounds."));
    await worker().ask([request(1)]);
    expect(create.mock.lastCall).toEqual([{ ...WINDOW, left: 100, top: 20, focused: false }]);
    stored = {};
    create.mockReset().mockRejectedValueOnce(new Error("Invalid value for bounds."));
    create.mockRejectedValueOnce(new Error("Invalid value for bounds."));
    await worker().ask([request(2)]);
    expect(create.mock.lastCall).toEqual([{ ...WINDOW, focused: false }]);
  });

  it("stays closed while nothing is asked, and while a panel is in sight", async () => {
    const asking = worker();
    await asking.ask([]);
    panelIsInSight = true;
    await asking.ask([request(1)]);
    expect(create).not.toHaveBeenCalled();
  });

  it("opens for what is still asked when the panel goes out of sight", async () => {
    const asking = worker();
    panelIsInSight = true;
    await asking.ask([request(1)]);
    panelIsInSight = false;
    await asking.ask([request(1)]);
    expect(create).toHaveBeenCalledOnce();
    // What the user closed it on is not brought back by another panel.
    open.delete(11);
    panelIsInSight = true;
    await asking.ask([request(1)]);
    panelIsInSight = false;
    await asking.ask([request(1)]);
    expect(create).toHaveBeenCalledOnce();
  });

  it("is closed once nothing is asked, and another one opens for what is asked next", async () => {
    const asking = worker();
    await asking.ask([request(1)]);
    isAsked = false;
    // What is asked next may come while the window is still there.
    await Promise.all([asking.ask([]), asking.close(), asking.ask([request(2)])]);
    expect(remove.mock.calls).toEqual([[11]]);
    expect(create).toHaveBeenCalledTimes(2);
  });

  it("stays where something is asked that its page has not heard of", async () => {
    const asking = worker();
    await asking.ask([request(1)]);
    await asking.close();
    expect(remove).not.toHaveBeenCalled();
  });

  it("is one at most", async () => {
    const asking = worker();
    await Promise.all([asking.ask([request(1)]), asking.ask([request(1), request(2)])]);
    expect(create).toHaveBeenCalledOnce();
    expect(update.mock.calls).toEqual([[11, { drawAttention: true }]]);
  });

  it("is not opened again for what the user closed it on, but for something new", async () => {
    const asking = worker();
    await asking.ask([request(1), request(2)]);
    open.delete(11);
    await asking.ask([request(1), request(2)]);
    await asking.ask([request(2)]);
    expect(create).toHaveBeenCalledOnce();
    await asking.ask([request(2), request(3)]);
    expect(create).toHaveBeenCalledTimes(2);
  });

  it("is remembered by the next worker", async () => {
    await worker().ask([request(1)]);
    const next = worker();
    await next.ask([request(1)]);
    expect(update).not.toHaveBeenCalled();
    await next.ask([request(1), request(2)]);
    expect(update).toHaveBeenCalledOnce();
    expect(create).toHaveBeenCalledOnce();
  });

  it("opens for the first request of another hub", async () => {
    const asking = worker();
    await asking.ask([request(1)]);
    open.delete(11);
    await asking.ask([request(1, "Something else.")]);
    expect(create).toHaveBeenCalledTimes(2);
  });

  it("goes on after Chrome refused to open it", async () => {
    const asking = worker();
    create.mockRejectedValueOnce(new Error("No window."));
    await asking.ask([request(1)]);
    await asking.ask([request(1), request(2)]);
    expect(create).toHaveBeenCalledTimes(2);
  });
});

describe("whoever wants to answer", () => {
  it("gets the side panel", async () => {
    openSidePanel.mockResolvedValue(undefined);
    await worker().open();
    expect(openSidePanel).toHaveBeenCalledWith({ windowId: 1 });
    expect(create).not.toHaveBeenCalled();
  });

  it("gets the window where Chrome opens no side panel", async () => {
    await worker().open();
    expect(create.mock.calls).toEqual([[WINDOW]]);
  });

  it("gets the window that is open already", async () => {
    const asking = worker();
    await asking.ask([request(1)]);
    await asking.open();
    expect(update).toHaveBeenLastCalledWith(11, { focused: true });
    expect(create).toHaveBeenCalledOnce();
    expect(openSidePanel).not.toHaveBeenCalled();
  });
});
