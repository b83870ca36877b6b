import { describe, expect, it } from "vitest";
import type { Selector } from "../protocol/generated";
import { show } from "./page.fixture";
import { ask, showShadow } from "./query.fixture";

const text = (words: string, exact = false): Selector => ({ text: { text: words, exact } });
const role = (name: string, called = ""): Selector => ({ role: { role: name, name: called } });

/** Tags and ids of what was found. */
function found(selector: Selector, within?: number): string[] {
  const { matches } = ask(selector, within === undefined ? {} : { within, attributes: ["id"] });
  return matches.map(({ tag, hint }) => (hint.startsWith("#") ? hint : tag));
}

function numberOf(css: string): number {
  const [match] = ask({ css }).matches;
  if (!match) throw new Error(`There is no ${css}.`);
  return match.id;
}

describe("by CSS", () => {
  it("elements are found in the page and in shadow roots of shadow roots", () => {
    const outer = showShadow("<b class=y></b><section id=in></section>", "<i class=y></i>");
    const inner = outer.querySelector("#in")?.attachShadow({ mode: "open" });
    if (inner) inner.innerHTML = "<u class=y></u>";
    expect(found({ css: ".y" })).toEqual(["i", "b", "u"]);
  });

  it("all are counted, and only some described", () => {
    show("<p></p>".repeat(50));
    const { total, matches } = ask({ css: "p" }, { limit: 3 });
    expect([total, matches.length]).toEqual([50, 3]);
  });

  it("what can't be seen is left out if asked", () => {
    show("<p>a</p><p hidden>b</p><p style='visibility:hidden'>c</p>");
    expect(ask({ css: "p" }, { visibleOnly: true }).total).toBe(1);
  });

  it("a selector that is none is refused, with the browser's words apart", () => {
    const failure = { code: "invalid_arguments", details: { by: expect.stringContaining("p[") } };
    expect(() => ask({ css: "p[" })).toThrow(expect.objectContaining(failure));
    expect(() => ask({ css: "p[" })).toThrow(/^That is not a valid CSS selector/);
  });

  it("forms are found whose fields hide their own properties", () => {
    const names = "localName querySelectorAll getAttribute getRootNode parentNode children".split(
      " ",
    );
    const fields = names.map((name) => `<input name=${name}>`).join("");
    show(`<main><form id=x action=/go>${fields}<b>In it</b></form></main>`);
    const { matches } = ask({ css: "form" }, { attributes: [] });
    expect(matches).toMatchObject([
      { tag: "form", hint: "#x", text: "In it", attributes: { action: "/go" } },
    ]);
    expect(found({ css: "b" }, numberOf("form"))).toEqual(["b"]);
  });
});

describe("by text", () => {
  it.each<[string, string, boolean, string[]]>([
    ["<div><p>Some <b>bold</b> words</p></div>", "BOLD", false, ["b"]],
    ["<div><p>Some <b>bold</b> words</p></div>", "some bold", false, ["p"]],
    ["<div><p>Some\n  text</p><p>text</p></div>", "some text", false, ["p"]],
    ["<p>One</p><p>Two</p>", "one two", false, ["body"]],
    ["<p>One<br>Two</p>", "one two", false, ["p"]],
    ["<p>Save</p><p>Save all</p>", "save", true, ["p"]],
    ["<p><b> Save </b></p>", "save", true, ["b"]],
    ["<b>a</b> <i>a a</i>", "a a", false, ["body", "i"]],
    ["<input type=submit value='Buy now'>", "buy", false, ["input"]],
    ["<input value='Buy now'><textarea>Buy now</textarea>", "buy", false, []],
    ["<script>'hello'</script><style>hello{}</style><p>x</p>", "hello", false, []],
    ["<p hidden>Closed</p>", "closed", false, ["p"]],
  ])("of %s, %j (exact: %s) is %j", (markup, words, exact, tags) => {
    show(markup);
    expect(found(text(words, exact))).toEqual(tags);
  });

  it("elements are found in shadow roots, with what was put into their slots", () => {
    showShadow("<p>Hello <slot></slot></p>", "<i>world</i>");
    expect(found(text("hello"))).toEqual(["p"]);
    expect(found(text("world"))).toEqual(["i"]);
    expect(found(text("hello world"))).toEqual(["p"]);
  });

  it.each([
    "<dialog open><p>Sure?</p></dialog>",
    "<dialog id=modal><p>Sure?</p></dialog>",
    "<form><button name=close>x</button><p>Sure?</p></form>",
  ])("elements are found in what can be closed: %s", (markup) => {
    show(markup);
    document.querySelector<HTMLDialogElement>("#modal")?.showModal();
    expect(found(text("sure"))).toEqual(["p"]);
  });

  it("elements are found at any depth, each for its own words", () => {
    const deep = 500;
    show("");
    let inner: Element = document.body;
    for (let depth = 0; depth < deep; depth += 1) {
      inner.append("some words ");
      inner = inner.appendChild(document.createElement("div"));
    }
    inner.append("needle");
    expect(ask(text("needle"), { limit: 0 }).total).toBe(1);
    expect(ask(text("words"), { limit: 0 }).total).toBe(deep);
    show("");
  });
});

describe("by role", () => {
  it.each<[string, string, string, string[]]>([
    ["<button>Save</button><a href=/>Save</a>", "button", "", ["button"]],
    ["<button>Save</button><button>Cancel</button>", "button", "SAV", ["button"]],
    ["<label for=f>Your name</label><input id=f>", "textbox", "name", ["#f"]],
    ["<h2>News of today</h2>", "heading", "today", ["h2"]],
    ["<div contenteditable aria-label=Body></div>", "textbox", "body", ["div"]],
    ["<button aria-label=Close>×</button>", "button", "×", []],
  ])("of %s, %s %j is %j", (markup, wanted, name, tags) => {
    show(markup);
    expect(found(role(wanted, name))).toEqual(tags);
  });
});

describe("a selector that is not written to its end", () => {
  it.each<[string, Selector, RegExp]>([
    ["text=", text(""), /^The text to look for is missing\./],
    ["text= ", text(" "), /^The text to look for is missing\./],
    ["role=", role(""), /^The role to look for is missing\./],
    ["role=button[name=Go", role("button", "[name=Go"), /^The bracket .* is not closed\./],
  ])("is refused, and told how it is written: %s", (_, selector, words) => {
    show("<p>x</p><button>Go</button>");
    const failure = { code: "invalid_arguments", message: expect.stringMatching(words) };
    expect(() => ask(selector)).toThrow(expect.objectContaining(failure));
    expect(() => ask(selector)).toThrow(/role=button\[name="Sign in"\]/);
  });

  it("is not one that asks for a name in brackets", () => {
    show("<a href=/>[edit]</a>");
    expect(found(role("link", "[edit]"))).toEqual(["a"]);
  });
});

describe("by XPath", () => {
  it.each<[string, string[]]>([
    ["//li[2]", ["#two"]],
    ["//li/text()", ["#one", "#two"]],
    ["//@id", ["#one", "#two"]],
  ])("%s is %j", (xpath, ids) => {
    show("<ul><li id=one>a</li><li id=two>b</li></ul>");
    expect(found({ xpath })).toEqual(ids);
  });

  it.each(["//[", "count(//p)"])("%s is refused, with the browser's words apart", (xpath) => {
    expect(() => ask({ xpath })).toThrow(
      expect.objectContaining({ code: "invalid_arguments", details: { by: expect.any(String) } }),
    );
  });
});

describe("by number", () => {
  it("an element is found while it is there, and refused once it is gone", () => {
    show("<p id=x>a</p>");
    const node = numberOf("#x");
    expect(found({ node })).toEqual(["#x"]);
    show("<p id=x>a</p>");
    expect(() => ask({ node })).toThrow(expect.objectContaining({ code: "stale_ref" }));
  });
});

describe("inside an element", () => {
  it.each<[Selector, string[]]>([
    [{ css: "b" }, ["#in"]],
    [{ xpath: "//b" }, ["#in"]],
    [{ css: "section" }, []],
    [text("word"), ["#in"]],
    [role("heading"), []],
  ])("%j is %j", (selector, ids) => {
    show("<h1>word</h1><b id=out>word</b><section><b id=in>word</b></section>");
    expect(found(selector, numberOf("section"))).toEqual(ids);
  });

  it("what its shadow root holds is found too", () => {
    showShadow("<b>in</b>");
    expect(found({ css: "b" }, numberOf("#host"))).toEqual(["b"]);
    expect(found({ node: numberOf("b") }, numberOf("#host"))).toEqual(["b"]);
  });

  it("nothing is found once it is gone", () => {
    show("<section></section>");
    const within = numberOf("section");
    show("<b></b>");
    expect(() => ask({ css: "b" }, { within })).toThrow(
      expect.objectContaining({ code: "stale_ref" }),
    );
  });
});

describe("by what can be chosen", () => {
  const sizes = "<p>Large</p><select id=s><option>Small<option selected>Extra large</select>";
  const offered = (words: string, exact = false): Selector => ({
    text: { text: words, exact, choices: true },
  });

  it("lists are found with what is chosen and what isn't, and only if asked for", () => {
    show(sizes);
    expect(found(text("small"))).toEqual([]);
    expect(found(offered("small"))).toEqual(["#s"]);
    expect(found(offered("large"))).toEqual(["p", "#s"]);
    expect(found(offered("large", true))).toEqual(["p"]);
    const texts = (words: string) => ask(offered(words)).matches.map((match) => match.text);
    expect(texts("l")).toEqual(["Large", "Small (not chosen), Extra large"]);
  });

  it("lists that hold a secret are not", () => {
    show("<select autocomplete=cc-exp-month><option>01<option selected>02</select>");
    expect(found(offered("02"))).toEqual([]);
  });
});
