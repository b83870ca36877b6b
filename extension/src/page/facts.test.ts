import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Flag, type State } from "../protocol/generated";
import { controlNumbers, elementsOf, nodesOf, readFacts, show, wordsOf } from "./page.fixture";

beforeEach(() => scrollTo(0, 0));

describe("text", () => {
  it("is one run across inline elements, with its blanks", async () => {
    expect(await nodesOf("<p>one  <b>two</b>\n<i>three</i>four</p>")).toEqual([
      [-1, "p", "paragraph", "", Flag.Block | Flag.InViewport],
      [0, "one two threefour"],
    ]);
  });

  it("keeps the blanks around a link", async () => {
    const nodes = await nodesOf("<p>From <a href='#a'>A</a> and<a href='#b'>B</a></p>");
    expect(nodes.map((node) => node[1])).toEqual(["p", "From ", "a", " and", "a"]);
  });

  it("of neighbours in a row is not run together", async () => {
    expect(await wordsOf("<div style='display:flex'><div>One</div><div>Two</div></div>")).toBe(
      "One Two",
    );
  });

  it("keeps its lines where they mean something", async () => {
    expect(await wordsOf("<pre>a\n  b</pre>")).toBe("a\n  b");
    expect(await wordsOf("<div style='white-space:pre-wrap'>a\n  b</div>")).toBe("a\n  b");
    expect(await wordsOf("<p style='white-space:pre-line'>a  b \n  c</p>")).toBe("a b\nc");
    const code = "<pre><b>if</b> x:\n    <b>return</b>\n\t<b>1</b></pre>";
    expect(await wordsOf(code)).toBe("if x:\n    return\n\t1");
    expect(await wordsOf("<pre style='white-space:normal'>a\n  b</pre>")).toBe("a b");
  });

  it("is on a new line after a line break, and only there", async () => {
    expect(await wordsOf("<p>12 Main St<br>Springfield <br> IL<br></p>")).toBe(
      "12 Main St\nSpringfield \nIL",
    );
    const nodes = await nodesOf("<p>one<br><br><a href='#a'>two</a><br>three</p>");
    expect(nodes.map((node) => node[1])).toEqual(["p", "one\n", "a", "\nthree"]);
    expect(await wordsOf("<p>one <br style='display:none'>two</p>")).toBe("one two");
    expect(await wordsOf("<p><br>one</p><div><br></div><p>two</p>")).toBe("one|two");
    expect(await wordsOf("<div>one<ul></ul>two<div></div>three</div>")).toBe("one\ntwo\nthree");
    expect(await wordsOf("<button>one<br>two</button>")).toBe("one two");
  });

  it("says what is raised and what is struck out, except in names", async () => {
    expect(await wordsOf("<p>$12<sup>99</sup>, x<sup>2</sup>, 1<sup>st</sup></p>")).toBe(
      "$12^99, x^2, 1st",
    );
    expect(await wordsOf("<p>Was <s>$100</s> <del></del><b>$80</b></p>")).toBe("Was ~~$100~~ $80");
    expect(await wordsOf("<button>x<sup>2</sup> <s>old</s></button>")).toBe("x2 old");
    const struck = "style='text-decoration:line-through'";
    expect(await wordsOf(`<p>Was <span ${struck}>$100</span> <b>$80</b></p>`)).toBe(
      "Was ~~$100~~ $80",
    );
    expect(await wordsOf(`<ul><li ${struck}>Milk<li>Tea</ul><div ${struck}>Old</div>`)).toBe(
      "~~Milk~~|Tea|~~Old~~",
    );
    expect(await wordsOf(`<div ${struck} hidden>Old</div><p ${struck}><b></b></p>`)).toBe("");
    expect(await wordsOf("<p>H<sub>2</sub>O, log<sub>2</sub>8, x<sup>2</sup>3</p>")).toBe(
      "H2O, log_2 8, x^2 3",
    );
  });

  it("is written the way it is drawn", async () => {
    const loud = "style='text-transform:uppercase'";
    expect(await wordsOf(`<p ${loud}>Sale <b style='text-transform:none'>Now</b></p>`)).toBe(
      "SALE Now",
    );
    expect(await wordsOf(`<pre ${loud}>a  b\nc</pre>`)).toBe("A  B\nC");
    const capital = "style='text-transform:capitalize'";
    expect(await wordsOf(`<h2 ${capital}>green 'tea' don’t well_done cafe\u0301s</h2>`)).toBe(
      "Green 'Tea' Don’t Well_done Cafe\u0301s",
    );
    const parted = "g<mark>re</mark>en <i>t</i>ea<br>pot";
    const label = `<label ${capital}>${parted} <b ${loud}>x</b> <input value=y></label>`;
    expect(await wordsOf(`<h2 ${capital}>${parted}</h2>`)).toBe("Green Tea\nPot");
    expect(await wordsOf(`<button ${capital}>${parted}</button>`)).toBe("Green Tea Pot");
    expect(await wordsOf(label)).toBe("Green Tea Pot X");
    const inCapitals = `<b style='text-transform:none'>Now</b>`;
    expect(await wordsOf(`<label ${loud}>Sale ${inCapitals} <input></label>`)).toBe("SALE Now");
  });

  it("is seen as such even in something hidden", async () => {
    const nodes = await nodesOf(
      "<div style='visibility:hidden'><b style='visibility:visible'>seen</b></div>",
    );
    expect(nodes).toEqual([
      [-1, "div", "", "", Flag.Block | Flag.InViewport],
      [0, "seen"],
    ]);
  });

  it("hangs on the block that it stands in", async () => {
    const nodes = await nodesOf("<div>before<div>inside</div>after</div>");
    expect(nodes.map(([parent, word]) => `${parent} ${word}`)).toEqual([
      "-1 div",
      "0 before",
      "0 div",
      "2 inside",
      "0 after",
    ]);
  });

  it("of a parent always comes after the parent itself", async () => {
    const nodes = await nodesOf("<ul><li>a<ul><li>b</li></ul>c</li></ul><div><p>d</p>e</div>");
    for (const [index, [parent]] of nodes.entries()) expect(parent).toBeLessThan(index);
  });
});

describe("what a person can't see", () => {
  it.each([
    "<div style='display:none'>secret</div>",
    "<div style='visibility:hidden'>secret</div>",
    "<div style='opacity:0'>secret</div>",
    "<div style='height:0;overflow:hidden'>secret</div>",
    "<div style='position:absolute;left:-9999px'>secret</div>",
    "<div style='position:absolute;left:-9999px'><span>secret</span></div>",
    "<div style='position:absolute;width:1px;height:1px;overflow:hidden'>secret</div>",
    "<div style='content-visibility:hidden'>secret</div>",
    "<div style='transform:scale(0)'>secret</div>",
    "<div style='clip-path:inset(100%)'>secret</div>",
    "<div style='clip-path:inset(0 50% 0 50%)'>secret</div>",
    "<div style='filter:blur(1px) opacity(0)'>secret</div>",
    "<p>a <span style='font-size:0'>secret</span></p>",
    "<div hidden>secret</div>",
    "<details><summary>More</summary>secret</details>",
    "<template>secret</template><noscript>secret</noscript><script>'secret'</script>",
    "<button style='visibility:hidden'>secret</button>",
    "<a href='/x' style='position:absolute;top:-500px'>secret</a>",
    "<input aria-label=secret style='position:absolute;left:-900px'>",
    "<div tabindex=0 style='position:absolute;left:-900px'><b>secret</b></div>",
    "<img alt=secret width=9 height=9 style='position:absolute;left:-900px'>",
    "<div style='position:absolute;clip:rect(0 0 0 0)'>secret</div>",
    "<span style='position:absolute;clip:rect(1px,1px,1px,1px)'>secret</span>",
    "<div style='position:fixed;top:0;transform:translateY(-100%)'>secret</div>",
    "<div style='position:fixed;left:100vw;width:99px'><p>secret</p></div>",
    "<div style='position:fixed;top:100vh'><a href=/x>secret</a></div>",
    "<div style='position:fixed;right:100vw;width:99px'><img alt=secret width=9 height=9></div>",
  ])("is left out: %s", async (markup) => {
    expect(await wordsOf(markup)).not.toContain("secret");
  });

  it.each([
    "<div aria-hidden=true>seen</div>",
    "<div style='visibility:hidden'><b style='visibility:visible'>seen</b></div>",
    "<div style='height:0'>seen</div>",
    "<div style='display:contents'>seen</div>",
    "<div style='clip-path:inset(10% 40%)'>seen</div>",
    "<div style='filter:opacity(0.5)'>seen</div>",
    "<p style='font-size:0'><span style='font-size:9px'>seen</span></p>",
    "<details open><summary>More</summary>seen</details>",
    "<div style='margin-top:5000px'>seen</div>",
    "<div style='clip:rect(0 0 0 0)'>seen</div>",
    "<div style='position:absolute;clip:rect(0 auto 9px 0)'>seen</div>",
    "<input type=checkbox aria-label=seen style='position:absolute;clip:rect(0 0 0 0)'>",
    "<button aria-label=''><b style='position:absolute;clip:rect(0 0 0 0)'>seen</b>×</button>",
    "<div style='position:fixed;width:0;height:0;top:0'>seen</div>",
    "<div style='position:fixed;left:100vw'><a href=/x style='position:absolute;right:9px'>seen</a></div>",
    "<div style='position:fixed;inset:0'><p style='margin-top:5000px'>seen</p></div>",
    "<div style='transform:scale(1)'><p style='position:fixed;top:5000px'>seen</p></div>",
  ])("is not this: %s", async (markup) => {
    expect(await wordsOf(markup)).toContain("seen");
  });
});

describe("a page that is an editor", () => {
  afterEach(() => {
    document.designMode = "off";
    document.body.removeAttribute("contenteditable");
  });

  it.each([
    ["contenteditable", () => document.body.setAttribute("contenteditable", "")],
    ["designMode", () => (document.designMode = "on")],
  ])("is a field to write in: %s", async (_, makeEditor) => {
    makeEditor();
    const [body, ...others] = await elementsOf("hello");
    expect(body?.slice(1, 3)).toEqual(["body", "textbox"]);
    expect((body?.[4] ?? 0) & Flag.Control).toBeTruthy();
    expect(body?.[5]).toBeGreaterThan(0);
    expect(body?.[7]?.value).toBe("hello");
    expect(others).toEqual([]);
    expect(document.body.isContentEditable).toBe(true);
  });
});

describe("a table", () => {
  it("says which cells span others", async () => {
    const row = "<tr><th rowspan=2>A<th colspan=3>B<td colspan=1>C";
    const cells = (await elementsOf(`<table>${row}</table>`)).filter(([, tag]) => tag[0] === "t");
    const spans = cells.filter(([, tag]) => /^t[hd]$/.test(tag)).map((cell) => cell[7]);
    expect(spans).toEqual([{ rowspan: 2 }, { colspan: 3 }, undefined]);
  });
});

describe("shadow roots", () => {
  it("are walked in the order in which a person sees them", async () => {
    show("<div id=host><i>slotted</i></div>");
    const root = document.getElementById("host")?.attachShadow({ mode: "open" });
    if (root) root.innerHTML = "<p>before</p><slot></slot><p><button>Go</button></p>";
    const words = (await readFacts()).nodes.map((node) => (node.length === 2 ? node[1] : node[3]));
    expect(words.filter(Boolean)).toEqual(["before", "slotted", "Go"]);
  });
});

describe("states", () => {
  const stateOf = async (markup: string): Promise<State | undefined> =>
    (await elementsOf(markup)).find(([, tag]) => tag !== "body" && tag !== "div")?.[7];

  it.each<[string, State | undefined]>([
    ["<input value=fire>", { value: "fire" }],
    ["<input placeholder=Find>", { value: "" }],
    ["<input aria-label=Name placeholder=Ann>", { value: "", placeholder: "Ann" }],
    ["<input type=checkbox checked>", { checked: "true" }],
    ["<input type=radio>", { checked: "false" }],
    ["<button disabled>x</button>", { disabled: true }],
    ["<fieldset disabled><button>x</button></fieldset>", { disabled: true }],
    ["<button aria-expanded=false>x</button>", { expanded: false }],
    ["<button aria-pressed=true>x</button>", { checked: "true" }],
    ["<input required value=a>", { value: "a", required: true }],
    ["<input aria-invalid=true value=a>", { value: "a", invalid: true }],
    ["<input autofocus value=a>", { value: "a" }],
    ["<h3>x</h3>", { level: 3 }],
    ["<span role=heading aria-level=5>x</span>", { level: 5 }],
    ["<a href='/x?y'>x</a>", { href: "/x?y" }],
    ["<a href='https://other.example/x'>x</a>", { href: "https://other.example/x" }],
    ["<a href='javascript:steal(1)'>x</a>", { href: "javascript:" }],
    ["<span role=tab aria-selected=true>x</span>", { selected: true }],
    ["<progress value=.5></progress>", { value: "0.5" }],
    ["<iframe src='about:blank' title=Ad></iframe>", { href: "about:blank", frame: 0 }],
    ["<iframe src='data:text/html,x'></iframe>", { href: "data:", frame: 0 }],
    ["<a href='/x' aria-current=page>x</a>", { href: "/x", current: "page" }],
    ["<a href='/x' aria-current=false>x</a>", { href: "/x" }],
    ["<ul aria-busy=true><li>x</ul>", { busy: true }],
    ["<ol start=3><li>x</ol>", { start: 3 }],
    ["<ol reversed><li>x<li>y</ol>", { start: 2, reversed: true }],
    ["<ol reversed start=9><li>x<li>y</ol>", { start: 9, reversed: true }],
    ["<ol style='list-style:none'><li>x</ol>", undefined],
    ["<input type=date>", { value: "", kind: "date" }],
    ["<input type=file>", { value: "", kind: "file" }],
    ["<input type=email>", { value: "" }],
  ])("of %s are %j", async (markup, state) => {
    expect(await stateOf(markup)).toEqual(state);
  });

  it.each([
    "<div aria-busy=true>x</div>",
    "<div aria-busy=true></div>",
    "<p><span aria-busy=true>x</span></p>",
  ])("say that something is busy, whatever it is: %s", async (markup) => {
    const busy = (await elementsOf(markup)).filter(([, , , , , , , state]) => state?.busy);
    expect(busy).toHaveLength(1);
  });

  it("say what has the focus", async () => {
    show("<input id=f>");
    document.getElementById("f")?.focus();
    expect(
      (await readFacts()).nodes.some(([, , , , , , , state]) => (state as State)?.focused),
    ).toBe(true);
  });

  it("say of something clickable that it can be scrolled", async () => {
    const long = "<p style='height:400px'>x</p>";
    const box = `<div tabindex=0 style='height:90px;overflow:auto'>${long}<p>y</p></div>`;
    const clickable = (await elementsOf(box)).find(([, , role]) => role === "generic");
    expect(clickable?.[7]).toEqual({ scrollable: true });
  });

  it("say of a box with more in it than it shows that it can be scrolled, and of no other", async () => {
    const tall = "<p style='height:400px'>x</p>";
    const boxes = (style: string) =>
      elementsOf(`<div style='height:90px;${style}'><section>${tall}</section></div>`);
    const scrollable = async (style: string) =>
      (await boxes(style)).filter(([, , , , , , , state]) => state?.scrollable).length;
    expect(await scrollable("overflow:auto")).toBe(1);
    expect(await scrollable("overflow:hidden scroll")).toBe(1);
    expect(await scrollable("overflow:hidden")).toBe(0);
    expect(await scrollable("")).toBe(0);
    const wide = "<pre style='width:50px;overflow:auto'>a line of code</pre>";
    expect((await elementsOf(wide)).some(([, , , , , , , state]) => state?.scrollable)).toBe(false);
  });

  it("say the words on something clickable that is called otherwise", async () => {
    const [called] = await elementsOf("<div tabindex=0 aria-label=Log><p>Started</p>Ended</div>");
    expect(called?.[3]).toBe("Log");
    expect(called?.[7]).toEqual({ shows: "Started Ended" });
    const long = "word ".repeat(100).trim();
    expect(await wordsOf(`<div tabindex=0 aria-label=Log>${long}</div>`)).toBe(`Log|${long}`);
  });

  it("of a choice hold all of its options", async () => {
    const options = Array.from({ length: 200 }, (_, index) => `<option>Country ${index}`);
    const nodes = await elementsOf(`<select>${options.join("")}</select>`);
    const choices = nodes.filter(([, , role]) => role === "option");
    expect(choices).toHaveLength(200);
    expect(nodes.find(([, tag]) => tag === "select")?.[7]).toEqual({ value: "Country 0" });
  });

  it("of a choice without end say how many options there are, and which is chosen", async () => {
    const options = Array.from({ length: 2_500 }, (_, index) => `<option>${index}`);
    const nodes = await elementsOf(`<select>${options.join("")}<option selected>last</select>`);
    expect(nodes.find(([, tag]) => tag === "select")?.[7]).toEqual({
      value: "last",
      options: 2_501,
    });
    const choices = nodes.filter(([, , role]) => role === "option");
    expect(choices).toHaveLength(2_001);
    expect(choices.at(-1)?.slice(3)).toEqual(["last", 0, 0, [0, 0, 0, 0], { selected: true }]);
  });
});

describe("the flat form", () => {
  it("leaves trailing defaults out", async () => {
    const [body, block] = await nodesOf("<div style='margin-top:3000px'>x</div>");
    expect(body).toEqual([-1, "div", "", "", Flag.Block]);
    expect(block).toEqual([0, "x"]);
  });

  it("gives controls a box in whole pixels and says whether it is in view", async () => {
    const markup =
      "<button style='position:absolute;left:10.4px;top:20px;width:30px;height:9px'>x</button>";
    const button = (await elementsOf(markup)).find(([, tag]) => tag === "button");
    expect(button?.[6]).toEqual([10, 20, 30, 9]);
    expect((button?.[4] ?? 0) & Flag.InViewport).toBeTruthy();
  });

  it("keeps an element's number for as long as it lives, and never gives it to another", async () => {
    show("<button id=a>A</button>");
    const [first] = await controlNumbers();
    document.body.insertAdjacentHTML("afterbegin", "<button>B</button>");
    const numbers = await controlNumbers();
    expect(numbers[1]).toBe(first);
    document.getElementById("a")?.remove();
    document.body.insertAdjacentHTML("beforeend", "<button id=a>A</button>");
    const later = await controlNumbers();
    expect(later).not.toContain(first);
  });

  it("reads a page that is nested deeper than the stack to its bottom", async () => {
    show("");
    let inner: Element = document.body;
    for (let depth = 0; depth < 3_000; depth += 1) {
      inner = inner.appendChild(document.createElement("b"));
    }
    inner.innerHTML = "<button>Deep</button>";
    const { nodes } = await readFacts();
    show("");
    expect(nodes.at(-1)?.[3 as 1]).toBe("Deep");
  });
});
