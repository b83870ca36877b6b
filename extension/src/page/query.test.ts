import { describe, expect, it, vi } from "vitest";
import { Flag } from "../protocol/generated";
import { show } from "./page.fixture";
import { ask, only } from "./query.fixture";

describe("an element that was found", () => {
  it("is told with its role, name, text, place and states", () => {
    const style = "position:absolute;left:20px;top:30px;width:100px;height:40px";
    const match = only(`<button id=x style='${style}' aria-expanded=true>Open <b>it</b></button>`);
    expect(match).toMatchObject({
      tag: "button",
      role: "button",
      name: "Open it",
      text: "Open it",
      flags: Flag.Control | Flag.InViewport,
      rect: [20, 30, 100, 40],
      state: { expanded: true },
      hint: "#x",
    });
    expect(match.hiddenBy ?? match.coveredBy ?? match.attributes ?? match.styles).toBeUndefined();
  });

  it.each<[string, string]>([
    ["<label for=x>Name</label><input id=x>", "Name"],
    ["<input id=x placeholder='Type here'>", "Type here"],
    ["<h2 id=x>News <i>today</i></h2>", "News today"],
    ["<div id=x onclick='1'>Click me</div>", "Click me"],
    ["<section id=x aria-label=Part>Text</section>", "Part"],
    ["<p id=x>Text</p>", ""],
    ["<img id=x alt='A boat' src='data:,'>", "A boat"],
    ["<fieldset id=x><legend>Size</legend></fieldset>", "Size"],
    ["<svg id=x><title>Bin</title></svg>", "Bin"],
  ])("is called by its accessible name: %s is %j", (markup, name) => {
    expect(only(markup).name).toBe(name);
  });

  it.each<[string, string]>([
    ["<div id=x>One<p>Two</p><span hidden>three</span></div>", "One Two"],
    ["<div id=x>a<i style='visibility:hidden'>b</i><i style='opacity:0'>c</i>d</div>", "ad"],
    ["<div id=x hidden>All <b>hidden</b></div>", "All hidden"],
    ["<input id=x type=submit value=Go>", "Go"],
    ["<input id=x value=typed>", ""],
    ["<div id=x><script>1</script>Yes</div>", "Yes"],
  ])("shows its text: %s is %j", (markup, text) => {
    expect(only(markup).text).toBe(text);
  });

  it("is cut where it would drown everything else", () => {
    const markup = `<p id=x title=${"t".repeat(900)}>${"words ".repeat(900)}</p>`;
    const match = only(markup, "#x", { textLetters: 20, attributes: ["title"] });
    expect(match.text).toBe("words words words w…");
    expect(match.attributes?.title).toHaveLength(500);
  });

  it.each<[string, number]>([
    ["<p id=x>a</p>", 0],
    ["<p id=x tabindex=0>a</p>", Flag.Control],
    ["<p id=x style='cursor:pointer'>a</p>", Flag.Control],
    ["<p style='cursor:pointer'><b id=x>a</b></p>", 0],
    ["<div id=x style='cursor:pointer'><button>a</button></div>", 0],
  ])("is a control where a person can use it: %s", (markup, flag) => {
    expect(only(markup).flags & Flag.Control).toBe(flag);
  });
});

const MAPPED =
  "<img usemap=#m alt=a style='position:absolute;left:0;top:0;width:100px;height:50px'>";

describe("an area of a picture", () => {
  const area = "<map name=m><area id=x href=/go alt=Go coords=10,10,40,40></map>";

  it("is where its picture shows it", () => {
    const match = only(`${MAPPED}${area}`);
    expect(match).toMatchObject({ role: "link", name: "Go", rect: [10, 10, 30, 30] });
    expect(match.flags).toBe(Flag.Control | Flag.InViewport);
    expect(ask({ css: "area" }, { visibleOnly: true }).total).toBe(1);
  });

  it("is covered by what lies over its picture", () => {
    const veil = "<div id=veil style='position:fixed;inset:0;background:white'>Cookies?</div>";
    expect(only(`${MAPPED}${area}${veil}`).coveredBy).toBe('div#veil "Cookies?"');
  });
});

describe("an element that nobody can see", () => {
  it.each<[string, string | undefined]>([
    ["<p id=x>a</p>", undefined],
    ["<div hidden><p id=x>a</p></div>", "display"],
    ["<details><summary>s</summary><p id=x>a</p></details>", "display"],
    ["<input type=hidden id=x>", "display"],
    ["<div style='visibility:hidden'><p id=x>a</p></div>", "visibility"],
    ["<div style='opacity:0'><p id=x>a</p></div>", "opacity"],
    ["<p id=x></p>", "size"],
    ["<p id=x style='position:absolute;width:1px;height:1px;overflow:hidden'>a</p>", "size"],
    ["<p id=x style='position:absolute;left:-9999px'>a</p>", "off_page"],
    ["<p id=x style='position:fixed;top:-50px;height:20px'>a</p>", "off_page"],
    ["<p id=x style='position:fixed;left:100vw'>a</p>", "off_page"],
    ["<p id=x style='position:fixed;top:100vh'>a</p>", "off_page"],
    ["<div style='position:fixed;left:100vw;width:99px'><p id=x>a</p></div>", "off_page"],
    [
      "<div style='position:fixed;inset:0'><p id=x style='margin-top:5000px'>a</p></div>",
      undefined,
    ],
    [
      "<div style='transform:scale(1)'><p id=x style='position:fixed;top:5000px'>a</p></div>",
      undefined,
    ],
    ["<div style='height:0;overflow:hidden'><p id=x>a</p></div>", "clipped"],
    [
      "<div style='width:50px;overflow:hidden'><div style='width:500px;height:20px'><p id=x style='margin:0 0 0 200px;width:50px'>a</p></div></div>",
      "clipped",
    ],
    [
      "<div style='height:50px;overflow:auto'><div style='height:500px'></div><p id=x>a</p></div>",
      undefined,
    ],
    [
      "<div style='height:0;overflow:hidden'><p id=x style='position:absolute;top:9px'>a</p></div>",
      undefined,
    ],
    ["<input id=x type=checkbox style='opacity:0'>", undefined],
    ["<select><option id=x>a</option></select>", undefined],
    ["<div id=x style='display:contents'>a</div>", undefined],
    ["<div style='height:3000px'></div><p id=x>a</p>", undefined],
    [`${MAPPED}<map name=m><area id=x href=/ coords=10,10,40,40></map>`, undefined],
    ["<map name=m><area id=x href=/ coords=10,10,40,40></map>", "display"],
    [`<p hidden>${MAPPED}</p><map name=m><area id=x href=/></map>`, "display"],
    ["<div id=x><div><p></p><p>a</p></div></div>", undefined],
    ["<b id=x><i></i><div style='height:0;overflow:hidden'><p>a</p></div></b>", "size"],
  ])("says why: %s is %s", (markup, hiddenBy) => {
    const match = only(markup);
    expect(match.hiddenBy).toBe(hiddenBy);
    expect(match.flags & Flag.Hidden).toBe(hiddenBy ? Flag.Hidden : 0);
  });
});

describe("an element that something lies over", () => {
  const over = (inner: string) =>
    `${inner}<div id=veil style='position:fixed;inset:0;background:white'>Cookies?</div>`;

  it("says what", () => {
    const match = only(over("<button id=x>Go</button>"));
    expect(match.coveredBy).toBe('div#veil "Cookies?"');
    expect(match.flags & Flag.Covered).toBe(Flag.Covered);
  });

  it("is not meant by what is hidden, out of view, or holds it", () => {
    expect(only(over("<button id=x hidden>Go</button>")).coveredBy).toBeUndefined();
    expect(
      only(over("<div style='height:3000px'></div><button id=x>Go</button>")).coveredBy,
    ).toBeUndefined();
    expect(
      only("<div id=y><button id=x style='pointer-events:none'>Go</button></div>").coveredBy,
    ).toBeUndefined();
  });

  it("is not meant by what was scrolled out of its box", () => {
    const match = only(
      "<div style='height:50px;overflow:auto'><div style='height:100px'></div><button id=x>Go</button></div><p style='height:200px'>below</p>",
    );
    expect(match.coveredBy).toBeUndefined();
  });
});

describe("attributes and styles", () => {
  it("are told as asked", () => {
    const markup = "<a id=x href=/go data-k=v style='color:rgb(1, 2, 3)'>a</a>";
    expect(only(markup, "#x", { attributes: [] }).attributes).toEqual({
      id: "x",
      href: "/go",
      "data-k": "v",
      style: "color:rgb(1, 2, 3)",
    });
    expect(only(markup, "#x", { attributes: ["href", "title"] }).attributes).toEqual({
      href: "/go",
    });
    const styles = ["color", "fontWeight", "no-such-thing"];
    expect(only(markup, "#x", { styles }).styles).toEqual({
      color: "rgb(1, 2, 3)",
      fontWeight: "400",
    });
  });
});

describe("what a secret field holds", () => {
  it.each([
    "<input id=x type=password value=hunter2 data-shown=hunter2 aria-valuetext=hunter2>",
    "<input id=x autocomplete=one-time-code value=hunter2>",
    "<input id=x type=password value=hunter2 title=hunter2>",
    "<input type=password value=hunter2 placeholder='was hunter2'>",
    "<input type=password value=hunter2 aria-label=hunter2>",
    "<input type=password value=hunter2 name=hunter2>",
    "<input id=hunter2 type=password value=hunter2>",
    "<textarea id=x name=pin>hunter2</textarea>",
    "<label>Pass <input id=x type=password value=hunter2></label>",
    "<div id=x><input type=password value=hunter2><textarea name=pin>hunter2</textarea></div>",
    "<button id=x aria-labelledby=p>x</button><input id=p type=password value=hunter2>",
    "<div id=x contenteditable aria-label='One-time code' data-copy=hunter2>hunter2</div>",
    "<div id=x contenteditable autocomplete=one-time-code><p>hun<b>ter2</b> hunter2</p></div>",
    "<i id=l>Security code</i><div contenteditable aria-labelledby=l><p tabindex=0>hunter2</p></div>",
    "<label id=x><span contenteditable id=otp>hunter2</span><input></label>",
    "<div role=button><span contenteditable id=otp>hunter2</span></div>",
    "<section contenteditable id=pin><div contenteditable><h2>hunter2</h2></div></section>",
  ])("is never told: %s", (markup) => {
    show(markup);
    const told = [
      ask({ css: "*" }, { attributes: [], limit: 100 }),
      ask({ text: { text: "hunter2", exact: false } }, { attributes: [] }),
    ];
    expect(JSON.stringify(told)).not.toContain("hunter2");
    expect(ask({ text: { text: "hunter2", exact: false } }).total).toBe(0);
  });

  it("is marked, and its value named as what it is", () => {
    const match = only("<input id=x type=password value=hunter2>", "#x", { attributes: ["value"] });
    expect(match.flags & Flag.Secret).toBe(Flag.Secret);
    expect(match.attributes).toEqual({ value: "[secret]" });
    expect(match.state.value).toBeUndefined();
  });

  it.each([
    { css: "input[value^=h]" },
    { css: "body:has([value ^= h])" },
    { css: "[\\76 alue^=h]" },
    { css: "[va/**/lue^=h], [data-copy]" },
    { xpath: "//input[starts-with(@value, 'h')]" },
    { xpath: "//input[starts-with(@*[2], 'h')]" },
    { xpath: "//*[attribute::node()='hunter2']" },
  ])("is not spelled out by a selector: %j", (selector) => {
    show("<input type=password value=hunter2 data-copy=hunter2>");
    expect(() => ask(selector)).toThrow(expect.objectContaining({ code: "not_allowed" }));
    show("<div contenteditable id=otp value=hunter2 data-copy=hunter2>hunter2</div>");
    expect(() => ask(selector)).toThrow(expect.objectContaining({ code: "not_allowed" }));
    show("<input type=password><input value=open>");
    expect(() => ask(selector)).not.toThrow(expect.objectContaining({ code: "not_allowed" }));
  });

  it("is not found out by the text that it holds", () => {
    show("<div contenteditable id=otp>hunter2</div>");
    const guess = () => ask({ xpath: "//div[contains(., 'hun')]" });
    expect(guess).toThrow(expect.objectContaining({ code: "not_allowed" }));
  });

  it("is not given away by which option is chosen", () => {
    show("<select autocomplete=cc-exp-month><option>01<option selected>02</select>");
    expect(ask({ css: "option" }, { attributes: [] }).matches).toEqual([]);
    expect(ask({ css: "option:checked" }).total).toBe(0);
  });
});

it("only what is described is looked at closely, however much is found", () => {
  show("<section><div><p><a href=/>link</a> text</p></div></section>".repeat(5_000));
  const looks = vi.spyOn(window, "getComputedStyle");
  expect(ask({ css: "*" }, { limit: 5 }).total).toBeGreaterThan(20_000);
  expect(ask({ role: { role: "link", name: "" } }, { limit: 5 }).total).toBe(5_000);
  expect(ask({ text: { text: "link", exact: true } }, { limit: 5 }).total).toBe(5_000);
  expect(looks.mock.calls.length).toBeLessThan(1_500);
  looks.mockRestore();
  show("");
});

it("all of a long text is told to whoever asks for all", () => {
  show("<p>word</p>".repeat(8_000));
  const [body] = ask({ css: "body" }, { textLetters: 1_000_000 }).matches;
  expect(body?.text.split(" ").filter((word) => word === "word")).toHaveLength(8_000);
});
