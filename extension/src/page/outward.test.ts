import { afterEach, describe, expect, it } from "vitest";
import { heldBackSoFar, holdBack, holdBackAddress, letGo } from "./outward";
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

  it.each([
    `<a href="tel:+49301" target="_blank">Out</a>`,
    `<a href="tel:+49301" target="elsewhere"><span>Out</span></a>`,
    `<form action="tel:+49301" target="_blank"><button>Out</button></form>`,
    `<form target="_blank"><input name="action"><button formaction="tel:+49301">Out</button></form>`,
  ])("another tab is not led there by %s", (markup) => {
    holdBack();
    press(markup);
    expect(heldBackSoFar()).toBe("tel:+49301");
  });

  it("what a page does itself with such a link is the page's own affair", () => {
    holdBack();
    show(`<a href="tel:+49301">Out</a>`);
    const link = document.querySelector("a") as HTMLElement;
    link.onclick = (event) => event.preventDefault();
    link.click();
    expect(heldBackSoFar()).toBeUndefined();
  });

  it("a script opens none", () => {
    expect(holdBackAddress("tel:+49301")).toBe(false);
    holdBack();
    expect(holdBackAddress("tel:+49301")).toBe(true);
    expect(holdBackAddress("page.html")).toBe(false);
  });

  it.each(["#there", "javascript:void 0"])("%s is the page's own affair", (address) => {
    holdBack();
    press(`<a href="${address}">In</a>`);
    expect(heldBackSoFar()).toBeUndefined();
  });
});
