import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callPage } from "./page-calls";

const TAB = 7;
const never = () => new Promise<never>(() => {});

interface Asked {
  target: { allFrames?: true; documentIds?: string[] };
  args?: [string, string, unknown];
}

/** Documents that answer nothing, and how to have them answer what they were asked. */
let silent: Set<string>;
let wake: (() => void)[];
/** Documents by their frames. */
let documents: string[];
/** Which documents which function of the page script was run in, once each time. */
let ran: string[];

beforeEach(() => {
  vi.useFakeTimers();
  silent = new Set();
  wake = [];
  documents = ["main", "tea", "cups"];
  ran = [];
  vi.stubGlobal("chrome", {
    scripting: {
      executeScript: async ({ target, args }: Asked) => {
        const asked = target.documentIds ?? (target.allFrames ? documents : ["main"]);
        const name = args?.[1];
        if (name) ran.push(...asked.map((id) => `${name} ${id}`));
        if (asked.some((id) => silent.has(id))) {
          await new Promise<void>((resolve) => wake.push(resolve));
        }
        return asked.map((documentId) => ({
          frameId: documents.indexOf(documentId),
          documentId,
          result: { ok: true, value: documentId, origin: `https://${documentId}.example` },
        }));
      },
    },
    webNavigation: {
      getAllFrames: async () =>
        documents.map((documentId, frameId) => ({
          frameId,
          documentId,
          url: `https://${documentId}.example/page`,
        })),
    },
    debugger: { getTargets: async () => [] },
  });
});
afterEach(() => {
  // Nobody waits any longer for what a test before asked.
  for (const answer of wake) answer();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const times = (what: string) => ran.filter((one) => one === what).length;

describe("a call to all frames", () => {
  it("is one call where all answer", async () => {
    const frames = await callPage(TAB, "facts", null, "all");
    expect(frames.map(({ value }) => value)).toEqual(["main", "tea", "cups"]);
    expect(ran).toHaveLength(3);
  });

  it("does without a frame that is silent, at once the next time, until it answers", async () => {
    silent.add("tea");
    const first = callPage(TAB, "facts", null, "all");
    await vi.advanceTimersByTimeAsync(1_600);
    const frames = await first;
    expect(frames.map(({ value }) => value)).toEqual(["main", undefined, "cups"]);
    expect(frames[1]).toMatchObject({
      origin: "https://tea.example",
      refusal: { code: "unresponsive" },
    });
    const second = await callPage(TAB, "facts", null, "all");
    expect(second[1]?.refusal?.code).toBe("unresponsive");
    expect(times("facts tea")).toBe(1);
    silent.clear();
    for (const answer of wake) answer();
    await vi.advanceTimersByTimeAsync(0);
    const third = await callPage(TAB, "facts", null, "all");
    expect(third.map(({ value }) => value)).toEqual(["main", "tea", "cups"]);
  });

  it("forgets a silent frame that went away", async () => {
    silent.add("cups");
    const first = callPage(TAB, "facts", null, "all");
    await vi.advanceTimersByTimeAsync(1_600);
    await first;
    documents.pop();
    const frames = await callPage(TAB, "facts", null, "all");
    expect(frames.map(({ value }) => value)).toEqual(["main", "tea"]);
  });

  it("is waited for where every frame answers the least, however long it takes", async () => {
    const { executeScript } = chrome.scripting;
    vi.spyOn(chrome.scripting, "executeScript").mockImplementation((async (asked: Asked) => {
      if (asked.args) await new Promise((resolve) => setTimeout(resolve, 30_000));
      return executeScript(asked as never);
    }) as never);
    const answer = callPage(TAB, "facts", null, "all");
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await answer).map(({ value }) => value)).toEqual(["main", "tea", "cups"]);
    expect(times("facts main")).toBe(1);
  });

  it("runs what must not run twice once in each", async () => {
    silent.add("tea");
    const taken = callPage(TAB, "takeDrop", null, "all");
    await vi.advanceTimersByTimeAsync(1_600);
    await taken;
    expect(ran.toSorted()).toEqual(["takeDrop cups", "takeDrop main", "takeDrop tea"]);
  });

  it("tells a silent frame of a press all the same", async () => {
    silent.add("tea");
    const look = callPage(TAB, "facts", null, "all");
    await vi.advanceTimersByTimeAsync(1_600);
    await look;
    await callPage(TAB, "guardElsewhere", null, "all");
    expect(times("guardElsewhere tea")).toBe(1);
  });

  it("is refused where a secret of the silent frame may be missed", async () => {
    silent.add("tea");
    const refused = expect(callPage(TAB, "veil", true, "all")).rejects.toMatchObject({
      code: "unresponsive",
    });
    await vi.advanceTimersByTimeAsync(8_100);
    await refused;
  });

  it("is left to whoever asks the page where the page itself is silent", async () => {
    silent = new Set(["main", "tea"]);
    const refused = expect(callPage(TAB, "facts", null, "all")).rejects.toMatchObject({
      message: expect.stringContaining("The page has answered nothing"),
    });
    await vi.advanceTimersByTimeAsync(8_100);
    await refused;
  });
});

describe("a call to one document", () => {
  it("is refused once its frame is silent", async () => {
    silent.add("tea");
    const refused = expect(
      callPage(TAB, "prepare", null, { documents: ["tea"] }),
    ).rejects.toMatchObject({ code: "unresponsive" });
    await vi.advanceTimersByTimeAsync(8_100);
    await refused;
  });

  it("ends with its frame", async () => {
    vi.spyOn(chrome.scripting, "executeScript").mockImplementation(never);
    const gone = expect(callPage(TAB, "prepare", null, { documents: ["cups"] })).rejects.toThrow(
      "removed",
    );
    documents.pop();
    await vi.advanceTimersByTimeAsync(3_000);
    await gone;
  });
});
