import { describe, expect, it } from "vitest";
import { Hints } from "./hints";
import { show } from "./page.fixture";
import { showShadow } from "./query.fixture";
import { finished } from "./sliced";

function hintFor(element: Element): string {
  return finished(new Hints().for(element));
}

function hintOf(markup: string, css = ".x"): string {
  show(markup);
  const element = document.querySelector(css);
  if (!element) throw new Error("There is no such element.");
  return hintFor(element);
}

describe("a hint", () => {
  it.each([
    ["<p id=intro class=x>", "#intro"],
    ["<p id='a.b' class=x>", "#a\\.b"],
    ["<p id=radix-:r1: class=x></p><p>", "p:nth-of-type(1)"],
    ["<p id=item-48213 class=x></p>", "p"],
    ["<p id=twice class=x></p><p id=twice></p>", "p:nth-of-type(1)"],
    ["<i></i><button data-testid=save class=x>", 'button[data-testid="save"]'],
    ["<input name=q class=x><input>", 'input[name="q"]'],
    [
      "<button aria-label='Say \"hi\"' class=x></button><button>",
      'button[aria-label="Say \\"hi\\""]',
    ],
    [
      "<ul id=menu><li></li><li><a class=x></a></li></ul><li></li><li><a></a></li>",
      "#menu > li:nth-of-type(2) > a",
    ],
    ["<main><a class=x></a></main><a></a>", "main > a"],
    ["<h1 class=x>", "h1"],
    ["<form class=x><input name=localName><input name=id><input name=parentNode></form>", "form"],
  ])("is short and steady: %s is %s", (markup, hint) => {
    expect(hintOf(markup)).toBe(hint);
  });

  it("finds every element of a page, and nothing else", () => {
    show(`<div><p>a</p><p><b></b><b></b></p><div><p><b></b></p></div></div>
      <svg><g><linearGradient></linearGradient><foreignObject></foreignObject></g></svg>
      <table><tr><td>1<td>2<tr><td>3</table><o:p>x</o:p><form><input name=children></form>`);
    const all = [...document.querySelectorAll("*")];
    for (const element of all) {
      expect([...document.querySelectorAll(hintFor(element))]).toEqual([element]);
    }
  });

  it("tells apart what only a script can put side by side", () => {
    show("<div><a></a></div><div><a></a></div>");
    const [parent] = document.querySelectorAll("div");
    for (const [namespace, tag] of [
      ["http://www.w3.org/2000/svg", "a"],
      ["http://www.w3.org/1999/xhtml", "A"],
      ["http://www.w3.org/1999/xhtml", "a"],
    ] as const) {
      parent?.append(document.createElementNS(namespace, tag));
    }
    for (const element of document.querySelectorAll("div, div > *")) {
      expect([...document.querySelectorAll(hintFor(element))]).toEqual([element]);
    }
  });

  it("leads through its own shadow root only", () => {
    const root = showShadow("<p></p><p><b></b></p><div><p><b></b></p></div><o:p></o:p><o:p></o:p>");
    for (const element of root.querySelectorAll("*")) {
      expect([...root.querySelectorAll(hintFor(element))]).toEqual([element]);
    }
  });
});
