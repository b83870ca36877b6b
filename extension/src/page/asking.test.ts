import { afterEach, describe, expect, it } from "vitest";
import { forgetAsking, type Heard, hearAsking, undecidedSoFar } from "./asking";
import { holdBack, letGo } from "./outward";
import { holdPrinting, letPrint, wantedToPrint } from "./printing";

/** Whether the page goes on with it. */
const say = (...words: Heard) =>
  document.dispatchEvent(
    new CustomEvent("asks", { detail: JSON.stringify(words), cancelable: true }),
  );

afterEach(() => {
  letGo();
  letPrint();
});

describe("what a page asks the user for", () => {
  it("is told until it is decided, and once", async () => {
    hearAsking("asks");
    say("asks", "geolocation", "made-up");
    const { state } = await navigator.permissions.query({ name: "geolocation" });
    expect(await undecidedSoFar()).toEqual(state === "prompt" ? ["geolocation"] : []);
    forgetAsking();
    expect(await undecidedSoFar()).toEqual([]);
  });

  it("is told until it is chosen, whatever is done meanwhile", async () => {
    hearAsking("asks");
    say("chooses", "screen");
    forgetAsking();
    expect(await undecidedSoFar()).toEqual(["screen"]);
    say("chose", "screen");
    expect(await undecidedSoFar()).toEqual([]);
  });
});

describe("a window of the browser's own", () => {
  it("for printing is held back only while an action is under way", () => {
    hearAsking("asks");
    expect(say("prints")).toBe(true);
    holdPrinting();
    expect(say("prints")).toBe(false);
    expect(wantedToPrint()).toBe(true);
    holdPrinting();
    expect(wantedToPrint()).toBe(false);
  });

  it("for another program is held back, and no other tab", () => {
    hearAsking("asks");
    holdBack();
    expect(say("opens", "tel:+49301")).toBe(false);
    expect(say("opens", "/tea")).toBe(true);
  });
});
