import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isStillSilent, unlessSilent } from "./silence";

const TAB = 7;
const never = () => new Promise<never>(() => {});

/** What the page does when asked the least. */
let answer: () => Promise<unknown>;
/** Addresses of what is open in the browser. */
let open: string[];

beforeEach(() => {
  vi.useFakeTimers();
  open = ["https://tea.example/"];
  vi.stubGlobal("chrome", {
    scripting: { executeScript: () => answer() },
    debugger: { getTargets: async () => open.map((url) => ({ url })) },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a page that is waited for", () => {
  it("is given up once it answers nothing at all", async () => {
    answer = never;
    const refused = expect(unlessSilent(TAB, never)).rejects.toMatchObject({
      code: "unresponsive",
    });
    await vi.advanceTimersByTimeAsync(8_000);
    await refused;
    const still = isStillSilent(TAB);
    await vi.advanceTimersByTimeAsync(500);
    expect(await still).toBe(true);
    expect(await isStillSilent(TAB)).toBe(false);
  });

  it("is given up soon where it is silent under a print window", async () => {
    answer = never;
    open.push("chrome://print/");
    const refused = expect(unlessSilent(TAB, never)).rejects.toMatchObject({
      code: "unresponsive",
      message: expect.stringContaining("print window"),
    });
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
  });

  it("is waited for where the print window is another's", async () => {
    answer = async () => [];
    open.push("chrome://print/");
    const work = new Promise((resolve) => setTimeout(() => resolve("done"), 5_000));
    const result = unlessSilent(TAB, () => work);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await result).toBe("done");
  });

  it.each([
    ["answers", async () => []],
    ["refuses", () => Promise.reject(new Error("Frame with ID 0 is showing error page"))],
  ])("is waited for as long as it %s", async (_, answers) => {
    answer = answers;
    const work = new Promise((resolve) => setTimeout(() => resolve("done"), 60_000));
    const result = unlessSilent(TAB, () => work);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await result).toBe("done");
    expect(await isStillSilent(TAB)).toBe(false);
  });

  it("that has found its tongue again is not taken for silent", async () => {
    answer = never;
    const refused = expect(unlessSilent(TAB, never)).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(8_000);
    await refused;
    answer = async () => [];
    expect(await isStillSilent(TAB)).toBe(false);
  });
});
