import { afterEach, describe, expect, it, vi } from "vitest";
import type { Build } from "../../build";

async function namesIn(build: Build): Promise<string[]> {
  vi.resetModules();
  vi.doMock("../../build", () => ({ BUILD: build }));
  vi.stubGlobal("chrome", {
    storage: { session: { get: async (defaults: object) => defaults } },
  });
  const { capabilities } = await import("./registry");
  return capabilities.map(({ name }) => name).toSorted();
}

afterEach(() => vi.unstubAllGlobals());

describe("what an extension offers", () => {
  it("is to look, and nothing else, in the lite build", async () => {
    expect(await namesIn("lite")).toEqual(["capture_screen", "extract_dom", "list_tabs"]);
  });

  it("is everything in the full build", async () => {
    const acting = ["batch", "cdp", "dialog", "drag", "evaluate", "fill"];
    const others = [
      "insert",
      "downloads",
      "screenshot",
      "script",
      "settle",
      "tabs",
      "upload",
      "wait",
    ];
    const looking = ["capture_screen", "console", "extract_dom", "list_tabs", "network", "pdf"];
    expect(await namesIn("full")).toEqual([...acting, ...others, ...looking].toSorted());
  });
});
