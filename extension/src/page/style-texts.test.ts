import { describe, expect, it } from "vitest";
import { controlsOf, readFacts, show, wordsOf } from "./page.fixture";

describe("words of a style sheet", () => {
  it.each([
    ["b::before{content:'$'}", "<p>Price: <b>42</b></p>", "Price: $42"],
    [".sold::before{content:'Out of stock'}", "<p class=sold></p>", "Out of stock"],
    ["i:after{content:attr(data-n)}", "<p>Inbox <i data-n=7></i></p>", "Inbox 7"],
    ["@media all{@supports (color:red){p::after{content:' EUR'}}}", "<p>9</p>", "9 EUR"],
    ["div{& p::before{content:'No. '}}", "<div><p>9</p></div>", "No. 9"],
    [".of{::before{content:'at '}}", "<div class=of><p>9</p></div>", "at 9"],
    ["u{--w:'new '} u::before{content:var(--w)}", "<p><u>one</u></p>", "new one"],
    ["", "<p>She said <q>hello</q></p>", "She said “hello”"],
  ])("are told where they are drawn: %s", async (style, markup, words) => {
    expect(await wordsOf(`<style>${style}</style>${markup}`)).toBe(words);
  });

  it.each([
    "p::before{content:'» '}",
    "p::before{content:'\\e900'}",
    "p::after{content:'hint';visibility:hidden}",
    "p::after{content:'hint';opacity:0}",
    "p::after{content:'hint';display:none}",
    "p:hover::after{content:'hint'}",
  ])("are not told where nobody reads them: %s", async (style) => {
    expect(await wordsOf(`<style>${style}</style><p>text</p>`)).toBe("text");
  });

  it("are part of a link's name", async () => {
    const style = "<style>a::after{content:' (new)'}</style>";
    expect(await controlsOf(`${style}<a href='/x'>Shop</a>`)).toEqual(['link "Shop (new)"']);
  });

  it("are found in shadow roots and in sheets that scripts made or changed", async () => {
    show("<div></div>");
    const root = document.querySelector("div")?.attachShadow({ mode: "open" }) as ShadowRoot;
    root.innerHTML = "<style>p::before{content:'in '}</style><p>side</p>";
    const sheet = new CSSStyleSheet();
    const words = async () => (await readFacts()).nodes.map((node) => node[1]);
    root.adoptedStyleSheets = [sheet];
    expect(await words()).toContain("in side");
    sheet.insertRule("p::after{content:' out'}");
    expect(await words()).toContain("in side out");
  });
});
