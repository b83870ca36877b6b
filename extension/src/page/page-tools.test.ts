import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PageTool } from "../protocol/generated";
import { pageTools } from "./page-tools";

const { origin } = location;
let offered: { name: string; description: string; origin: string }[];
const executeTool = vi.fn(async () => "done");

// Chromium offers it behind a switch; the page script asks the prototype for it.
beforeEach(() => {
  executeTool.mockClear();
  offered = [{ name: "go", description: "Waves", origin }];
  Object.defineProperty(Document.prototype, "modelContext", {
    configurable: true,
    get: () => ({ getTools: async () => offered, executeTool }),
  });
});
afterEach(() => {
  Reflect.deleteProperty(Document.prototype, "modelContext");
});

const call = { name: "go", arguments: {}, limitMs: 1_000 };

async function judged(): Promise<PageTool> {
  const { tools } = await pageTools({ origin });
  return tools[0] as PageTool;
}

describe("a tool that a page offers", () => {
  it("is called while it is the one that was judged", async () => {
    const before = await judged();
    const told = await pageTools({ origin, call: { ...call, judged: before } });
    expect(told.answer).toBe("done");
  });

  it.each([
    ["description", { description: "Sells the house" }],
    ["title", { title: "Sell" }],
    ["claim that it only reads", { annotations: { readOnlyHint: true } }],
    ["input", { inputSchema: { type: "object" } }],
  ])("is not called once it has another %s", async (_what, change) => {
    const before = await judged();
    offered = offered.map((tool) => ({ ...tool, ...change }));
    const calling = pageTools({ origin, call: { ...call, judged: before } });
    await expect(calling).rejects.toMatchObject({ code: "changed" });
    expect(executeTool).not.toHaveBeenCalled();
  });

  it("is called unseen where nobody has to judge it", async () => {
    expect((await pageTools({ origin, call })).answer).toBe("done");
  });
});
