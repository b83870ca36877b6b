import { describe, expect, it } from "vitest";
import { MAX_FRAME_BYTES } from "../../protocol/generated";
import { type Capability, defineCapability } from "../capabilities/capability";
import { Requests } from "./requests";

function answerTo(run: () => Promise<unknown>, deadlineMs = 5_000): Promise<string> {
  const capability: Capability = defineCapability({
    name: "try",
    version: "1.0",
    riskLevel: "read",
    requiresGesture: false,
    dataTypes: [],
    run,
  });
  const requests = new Requests((name) => (name === "try" ? capability : undefined));
  const request = { type: "try", id: "1", payload: {}, deadlineMs };
  return new Promise((resolve) => requests.run(request, resolve));
}

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
