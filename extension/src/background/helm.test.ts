import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { HelmState } from "../protocol/generated";

const forgiveTabs = vi.fn();

beforeEach(() => {
  vi.doMock("./debugger", () => ({ forgiveTabs }));
  vi.doMock("./notices", () => ({ showBadge: () => {}, showNotifications: () => {} }));
  vi.stubGlobal("chrome", {
    storage: { session: { get: async (defaults: object) => defaults, set: async () => {} } },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it("a session that goes on takes back the cancelled bar of its own tabs alone", async () => {
  const { Helm } = await import("./helm");
  const requests = { stopAll: () => {} };
  const helm = new Helm(
    () => {},
    requests as never,
    { ask: async () => {} },
    () => {},
  );
  const session = (name: string, tabs: number[]) => ({ session: name, tabs });
  const state = { sessions: [session("one", [1, 2]), session("two", [3])], requests: [] };
  helm.hear(state as unknown as HelmState);
  helm.order({ command: "resume", session: "two" });
  expect(forgiveTabs.mock.calls).toEqual([[[3]]]);
});
