import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_FRAME_BYTES } from "../../protocol/generated";
import { type Capability, defineCapability } from "../capabilities/capability";
import { Journal } from "./journal";
import { Requests } from "./requests";

type Run = Capability["run"];

/** What `storage.session` holds: it stays when a worker goes. */
let stored: Record<string, unknown>;

beforeEach(() => {
  stored = {};
  const session = {
    get: async (keys: string | null) =>
      keys === null ? { ...stored } : keys in stored ? { [keys]: stored[keys] } : {},
    set: async (values: object) => void Object.assign(stored, structuredClone(values)),
    remove: async (keys: string[]) => {
      for (const key of keys) delete stored[key];
    },
  };
  vi.stubGlobal("chrome", { storage: { session } });
  return () => vi.unstubAllGlobals();
});

/** A worker that has just started. */
function startRequests(run: Run, tracksItself = false): Requests {
  const about = { version: "1.0", riskLevel: "act", requiresGesture: false } as const;
  const capability = defineCapability({ name: "try", ...about, dataTypes: [], tracksItself, run });
  return new Requests((name) => (name === "try" ? capability : undefined), new Journal());
}

function ask(requests: Requests, changes: object = {}): Promise<string> {
  const request = { type: "try", id: "1", payload: {}, deadlineMs: 5_000, once: false, ...changes };
  return new Promise((resolve) => requests.run(request, resolve));
}

function answerTo(run: Run, deadlineMs = 5_000): Promise<string> {
  return ask(startRequests(run), { deadlineMs });
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("an answer", () => {
  it("carries the result", async () => {
    expect(JSON.parse(await answerTo(async () => ({ a: 1 })))).toEqual({
      id: "1",
      result: { a: 1 },
    });
  });

  it("is refused as `too_large` by its bytes, not its characters", async () => {
    const characters = MAX_FRAME_BYTES / 2;
    expect((await answerTo(async () => "x".repeat(characters))).length).toBeGreaterThan(characters);
    const refused = JSON.parse(await answerTo(async () => "€".repeat(characters)));
    expect(refused).toMatchObject({ id: "1", code: "too_large" });
  });

  it("never fills the hub's largest frame to the brim", async () => {
    const refused = JSON.parse(await answerTo(async () => "x".repeat(MAX_FRAME_BYTES - 100)));
    expect(refused.code).toBe("too_large");
  });

  it("says what to do when time is up", async () => {
    const refused = JSON.parse(await answerTo(() => new Promise(() => {}), 5));
    expect(refused.code).toBe("timeout");
    expect(refused.error).toContain("Look at the page");
  });
});

describe("a request that must not run twice", () => {
  const once = { once: true };

  it("is answered from memory when it comes again, also by the next worker", async () => {
    const run = vi.fn(async () => ({ clicked: true }));
    const first = await ask(startRequests(run), once);
    await settled();
    expect(await ask(startRequests(run), once)).toBe(first);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("is refused as unknown where a worker died in the middle of it", async () => {
    const run = vi.fn(() => new Promise(() => {}));
    void ask(startRequests(run), once);
    await settled();
    const again = JSON.parse(await ask(startRequests(run), once));
    expect(again).toMatchObject({ id: "1", code: "outcome_unknown" });
    expect(again.error).toContain("Look at the page");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("runs after all where it had not begun yet", async () => {
    const stuck = startRequests(() => new Promise(() => {}), true);
    void ask(stuck, once);
    await settled();
    const run = vi.fn(async () => "done");
    expect(JSON.parse(await ask(startRequests(run, true), once)).result).toBe("done");
  });

  it("goes on behind the last thing that it changed", async () => {
    const dies: Run = async (_, { once }) => {
      await once.begin();
      once.noteActed(["pressed"]);
      return new Promise(() => {});
    };
    void ask(startRequests(dies, true), once);
    await vi.waitFor(() =>
      expect(stored).toMatchObject({ "call:1": { progress: { state: "acted" } } }),
    );
    const goesOn = startRequests(async (_, { once }) => [...once.before, "settled"], true);
    expect(JSON.parse(await ask(goesOn, once)).result).toEqual(["pressed", "settled"]);
  });

  it("has its beginning noted before it goes on, and no note is waited for but the first", async () => {
    const order: string[] = [];
    const requests = startRequests(async () => void order.push("run"));
    await settled();
    const { session } = chrome.storage;
    const keep = session.set.bind(session);
    vi.spyOn(session, "set").mockImplementation(async (values: object) => {
      const [entry] = Object.values(values) as { progress: { state: string } }[];
      order.push(`${entry?.progress.state} asked`);
      await settled();
      order.push(`${entry?.progress.state} kept`);
      return keep(values);
    });
    await ask(requests, once);
    await ask(requests, { ...once, id: "2" });
    const first = ["begun asked", "begun kept", "run", "done asked"];
    expect(order).toEqual([...first, "begun asked", "run", "done asked"]);
  });

  it("is not begun where nothing can be noted", async () => {
    const run = vi.fn();
    const requests = startRequests(run);
    await settled();
    vi.spyOn(chrome.storage.session, "set").mockRejectedValue(new Error("quota"));
    expect(JSON.parse(await ask(requests, once)).code).toBe("capability_failed");
    expect(run).not.toHaveBeenCalled();
  });

  it("is not run again where only its note was lost", async () => {
    const run = vi.fn(async () => "done");
    const requests = startRequests(run);
    await ask(requests, once);
    await settled();
    vi.spyOn(chrome.storage.session, "set").mockRejectedValue(new Error("quota"));
    await ask(requests, { ...once, id: "2" });
    const again = JSON.parse(await ask(requests, { ...once, id: "2" }));
    expect(again.code).toBe("outcome_unknown");
    expect(run).toHaveBeenCalledTimes(2);
    // From now on a note that can't be kept is waited for.
    expect(JSON.parse(await ask(requests, { ...once, id: "3" })).code).toBe("capability_failed");
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("is not run beside itself when it comes again while it runs", async () => {
    const gate = Promise.withResolvers<string>();
    const run = vi.fn(() => gate.promise);
    const requests = startRequests(run);
    const answer = ask(requests, once);
    await settled();
    void ask(requests, once);
    gate.resolve("done");
    expect(JSON.parse(await answer).result).toBe("done");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("is left to the next worker by one that is being stopped", async () => {
    const answered = vi.fn();
    void ask(
      startRequests(() => Promise.reject(new Error("No SW"))),
      once,
    ).then(answered);
    await settled();
    expect(answered).not.toHaveBeenCalled();
    const again = JSON.parse(
      await ask(
        startRequests(async () => "again"),
        once,
      ),
    );
    expect(again.code).toBe("outcome_unknown");
  });

  it("is known to be done though its answer was too large to keep", async () => {
    const run = vi.fn(async () => "x".repeat(100_000));
    await ask(startRequests(run), once);
    await settled();
    const again = JSON.parse(await ask(startRequests(run), once));
    expect(again.code).toBe("outcome_unknown");
    expect(again.error).toContain("was carried out");
  });

  it("is remembered while it runs, however many others come after it", async () => {
    const hanging = startRequests(() => new Promise(() => {}));
    void ask(hanging, once);
    await settled();
    const others = startRequests(async () => "done");
    for (let id = 2; id < 300; id += 1) await ask(others, { ...once, id: String(id) });
    expect(Object.keys(stored).filter((key) => key.startsWith("call:")).length).toBeLessThan(120);
    const again = JSON.parse(
      await ask(
        startRequests(async () => "again"),
        once,
      ),
    );
    expect(again.code).toBe("outcome_unknown");
  });
});

it("what may run twice leaves nothing behind", async () => {
  await answerTo(async () => "read");
  expect(Object.keys(stored).filter((key) => key.startsWith("call:"))).toEqual([]);
});
