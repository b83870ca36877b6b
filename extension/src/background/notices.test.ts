import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { UserRequest } from "../protocol/generated";

/** What the desktop shows; it outlives the workers. */
let desktop: Set<string>;

beforeEach(() => {
  desktop = new Set();
  vi.stubGlobal("chrome", {
    runtime: { getURL: (path: string) => path },
    notifications: {
      create: async (id: string) => void desktop.add(id),
      clear: async (id: string) => void desktop.delete(id),
      getAll: async () => Object.fromEntries([...desktop].map((id) => [id, true])),
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Each has a memory of its own. */
async function worker(): Promise<typeof import("./notices")> {
  vi.resetModules();
  return import("./notices");
}

const request = (id: number): UserRequest => ({
  id,
  session: "a",
  client: "cursor",
  kind: "human",
  what: "Please log in.",
});

describe("a notification", () => {
  it("stands for each open request, and goes with its answer", async () => {
    const { showNotifications } = await worker();
    showNotifications([request(1), request(2)]);
    expect([...desktop]).toEqual(["request-1", "request-2"]);
    showNotifications([request(2)]);
    expect([...desktop]).toEqual(["request-2"]);
  });

  it("of a worker before is taken away where its request is answered", async () => {
    (await worker()).showNotifications([request(1), request(2)]);
    desktop.add("of somebody else");
    (await worker()).showNotifications([request(2), request(3)]);
    await vi.waitFor(() =>
      expect([...desktop].toSorted()).toEqual(["of somebody else", "request-2", "request-3"]),
    );
  });

  it("is not taken away for what was not asked yet when the worker began", async () => {
    (await worker()).showNotifications([request(1)]);
    const { showNotifications } = await worker();
    showNotifications([]);
    showNotifications([request(2)]);
    await vi.waitFor(() => expect([...desktop]).toEqual(["request-2"]));
  });
});
