import { afterEach, describe, expect, it } from "vitest";
import { heldBackSoFar, holdBack, letGo } from "./outward";
import { show } from "./page.fixture";

afterEach(() => {
  letGo();
  show("");
});

function press(markup: string): void {
  show(markup);
  document.querySelector<HTMLElement>("a, button")?.click();
}

describe("while an action is under way", () => {
  it.each(["tel:+49301", "mailto:a@b.example", "web+tea:green", "zoommtg:1"])(
    "%s is not followed",
    (address) => {
      holdBack();
      press(`<a href="${address}">Out</a>`);
      expect(heldBackSoFar()).toBe(address);
      holdBack();
      expect(heldBackSoFar()).toBeUndefined();
    },
  );

  it.each(["#there", "javascript:void 0"])("%s is the page's own affair", (address) => {
    holdBack();
    press(`<a href="${address}">In</a>`);
    expect(heldBackSoFar()).toBeUndefined();
  });
});
