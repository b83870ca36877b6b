import { afterEach, describe, expect, it, vi } from "vitest";
import { Refused } from "../../protocol/refused";
import { makeBatch } from "./batch";
import { type CallContext, type Capability, defineCapability } from "./capability";
import { makeContext } from "./context.fixture";

const order: string[] = [];

const capabilities: Record<string, (payload: never) => Promise<unknown>> = {
  echo: async (payload) => payload,
  wait: async ({ name, ms }: { name: string; ms: number }) => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, ms));
    order.push(`${name} ends`);
    return name;
  },
  gone: async () => {
    throw new Refused("no_tab", "There is no such tab.");
  },
  fail: async () => {
    throw new Refused("covered", "Something is in the way.", { by: "div" });
  },
};

function find(name: string): Capability | undefined {
  const run = capabilities[name];
  const about = {
    version: "1.0",
    riskLevel: "read",
    requiresGesture: false,
    dataTypes: [],
  } as const;
  return run && defineCapability<never>({ name, ...about, dataTypes: [], run });
}

function runBatch(steps: object[], changes: Partial<CallContext> = {}): Promise<unknown> {
  order.length = 0;
  return makeBatch(find).run({ steps }, makeContext(changes));
}

describe("a batch", () => {
  it("answers with one result a step", async () => {
    const steps = [
      { type: "echo", payload: 1 },
      { type: "echo", payload: { a: [2] } },
    ];
    expect(await runBatch(steps)).toEqual({ results: [1, { a: [2] }] });
  });

  it("puts parts of earlier results into later payloads", async () => {
    const steps = [
      { type: "echo", payload: { frames: [{ value: { x: 3 } }] } },
      { type: "echo", payload: { x: { $step: 0, pointer: "/frames/0/value/x" } } },
    ];
    expect(await runBatch(steps)).toMatchObject({ results: [{}, { x: 3 }] });
  });

  it("waits for each step, except those that may overlap", async () => {
    await runBatch([
      { type: "wait", payload: { name: "one", ms: 20 }, overlap: true },
      { type: "wait", payload: { name: "two", ms: 1 } },
      { type: "wait", payload: { name: "three", ms: 1 } },
    ]);
    expect(order.slice(0, 2)).toEqual(["one begins", "two begins"]);
    expect(order.indexOf("two ends")).toBeLessThan(order.indexOf("three begins"));
    expect(order).toContain("one ends");
  });

  it("waits for an overlapping step whose result is needed", async () => {
    const steps = [
      { type: "wait", payload: { name: "one", ms: 10 }, overlap: true },
      { type: "echo", payload: { $step: 0, pointer: "" } },
    ];
    expect(await runBatch(steps)).toEqual({ results: ["one", "one"] });
  });

  it("ends at the first step that fails, and says which and what came before", async () => {
    const failure = runBatch([
      { type: "echo", payload: 1 },
      { type: "fail", payload: {} },
      { type: "wait", payload: { name: "never", ms: 1 } },
    ]);
    await expect(failure).rejects.toMatchObject({
      code: "covered",
      details: { by: "div", step: 1, results: [1] },
    });
    expect(order).toEqual([]);
  });

  it("holds no other batch", async () => {
    const failure = runBatch([{ type: "batch", payload: { steps: [] } }]);
    await expect(failure).rejects.toMatchObject({ code: "invalid_arguments" });
  });

  it("begins no step once it is cancelled", async () => {
    const signal = AbortSignal.abort(new Refused("cancelled", "Cancelled."));
    const failure = runBatch([{ type: "wait", payload: { name: "one", ms: 1 } }], { signal });
    await expect(failure).rejects.toMatchObject({ code: "cancelled" });
    expect(order).toEqual([]);
  });

  it("notes while it gets ready that it begins, and acts once that is noted", async () => {
    const noted: unknown[][] = [];
    const once = {
      before: [],
      begin: async () => {
        noted.push(["begin", [...order]]);
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push("noted");
      },
      noteActed: (results: unknown[]) => void noted.push([results, [...order]]),
    };
    const wait = (name: string) => ({ type: "wait", payload: { name, ms: 1 } });
    const steps = [
      wait("prepare"),
      { ...wait("press"), acts: true, overlap: true },
      { ...wait("release"), acts: true },
      wait("settle"),
    ];
    await runBatch(steps, { once });
    expect(noted[0]).toEqual(["begin", ["prepare begins"]]);
    expect(order.slice(0, 4)).toEqual(["prepare begins", "prepare ends", "noted", "press begins"]);
    expect(noted).toHaveLength(2);
    expect(noted[1]?.[0]).toEqual(["prepare", "press", "release"]);
    expect(noted[1]?.[1]).not.toContain("settle begins");
    expect(order.slice(-2)).toEqual(["settle begins", "settle ends"]);
  });

  it("runs only what comes after the steps that were carried out before", async () => {
    const once = { before: ["prepare", "press"], begin: async () => {}, noteActed: () => {} };
    const steps = ["prepare", "press", "settle"].map((name) => ({
      type: "wait",
      payload: { name, ms: 1 },
      acts: name === "press",
    }));
    const { results } = (await runBatch(steps, { once })) as { results: unknown[] };
    expect(results).toEqual(["prepare", "press", "settle"]);
    expect(order).toEqual(["settle begins", "settle ends"]);
  });

  describe("whose first step acts", () => {
    afterEach(() => vi.unstubAllGlobals());
    const tabs = (there: boolean) => {
      const get = async () => {
        if (!there) throw new Error("No tab with id: 7.");
      };
      vi.stubGlobal("chrome", { tabs: { get } });
    };

    it("notes that it begins before that, and what came of it after", async () => {
      const noted: unknown[] = [];
      const once = {
        before: [],
        begin: async () => void noted.push([...order]),
        noteActed: (results: unknown[]) => void noted.push([results, [...order]]),
      };
      const insert = { type: "wait", payload: { name: "insert", ms: 1 }, acts: true };
      const settle = { type: "wait", payload: { name: "settle", ms: 1 } };
      await runBatch([insert, settle], { once });
      expect(noted).toEqual([[], [["insert"], ["insert begins", "insert ends"]]]);
    });

    it.each([
      ["says that it may be done where the tab closed meanwhile", true, /don't do it again/],
      ["says nothing of the kind where there never was a tab", false, /no such tab/],
    ])("%s", async (_, there, words) => {
      tabs(there);
      const failure = runBatch([{ type: "gone", payload: { tabId: 7 }, acts: true }]);
      await expect(failure).rejects.toMatchObject({ code: "no_tab", message: words });
    });
  });
});
