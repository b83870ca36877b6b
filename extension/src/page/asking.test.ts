import { describe, expect, it } from "vitest";
import { forgetAsking, hearAsking, undecidedSoFar } from "./asking";

describe("what a page asks the user for", () => {
  const ask = (detail: string) => document.dispatchEvent(new CustomEvent("asks", { detail }));

  it("is told until it is decided, and once", async () => {
    hearAsking("asks");
    ask("geolocation made-up");
    const { state } = await navigator.permissions.query({ name: "geolocation" });
    expect(await undecidedSoFar()).toEqual(state === "prompt" ? ["geolocation"] : []);
    forgetAsking();
    expect(await undecidedSoFar()).toEqual([]);
  });
});
