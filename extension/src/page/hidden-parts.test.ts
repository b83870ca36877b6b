import { describe, expect, it } from "vitest";
import { type ElementNode, Flag, type TextNode } from "../protocol/generated";
import { isText } from "./lines";
import { controlsOf, nodesOf, readFacts, show, wordsOf } from "./page.fixture";
import { ask } from "./query.fixture";

const INCLUDED = { includeHidden: true };

function isHidden(nodes: (TextNode | ElementNode)[], index: number): boolean {
  const node = nodes[index];
  if (!node || isText(node)) return false;
  return ((node[4] ?? 0) & Flag.Hidden) !== 0;
}

describe("what a person can't see, when asked for", () => {
  it.each([
    "<div style='display:none'>secret</div>",
    "<span style='display:none'>secret</span>",
    "<p>a <b style='display:none'>secret</b> b</p>",
    "<div style='visibility:hidden'>secret</div>",
    "<div style='opacity:0'>secret</div>",
    "<div style='height:0;overflow:hidden'>secret</div>",
    "<div style='position:absolute;left:-9999px'>secret</div>",
    "<div style='position:absolute;left:-9999px'><span>secret</span></div>",
    "<div style='position:absolute;width:1px;height:1px;overflow:hidden'>secret</div>",
    "<div style='content-visibility:hidden'><p>secret</p></div>",
    "<div style='transform:scale(0)'>secret</div>",
    "<div hidden>secret</div>",
    "<details><summary>More</summary><p>secret</p></details>",
    "<details><summary>More</summary>secret</details>",
    "<div style='content-visibility:hidden'>secret</div>",
    "<div style='clip-path:inset(50%)'>secret</div>",
    "<dialog>secret</dialog>",
  ])("hangs on a node that says so: %s", async (markup) => {
    const nodes = await nodesOf(markup, INCLUDED);
    const text = nodes.find((node) => isText(node) && node[1].includes("secret"));
    expect(text, JSON.stringify(nodes)).toBeDefined();
    expect(isHidden(nodes, text?.[0] ?? -1), JSON.stringify(nodes)).toBe(true);
  });

  it("is flagged on the control itself", async () => {
    const nodes = await nodesOf("<button style='display:none'>Later</button>", INCLUDED);
    const index = nodes.findIndex((node) => node[2] === "button");
    expect(nodes[index]?.[3 as 1]).toBe("Later");
    expect(isHidden(nodes, index)).toBe(true);
  });

  it("does not hide what is seen inside it", async () => {
    const inner = "<b style='visibility:visible'>seen</b>";
    const nodes = await nodesOf(`<div style='visibility:hidden'>unseen${inner}</div>`, INCLUDED);
    const seen = nodes.find((node) => isText(node) && node[1] === "seen");
    expect(seen && isHidden(nodes, seen[0])).toBe(false);
  });

  it("is still no script, style or template", async () => {
    const markup = "<script>'code'</script><style>.code{}</style><template>code</template>";
    expect(await wordsOf(markup, INCLUDED)).toBe("");
  });

  it("is still no secret, and no field that the page alone fills", async () => {
    const markup =
      "<input type=password value=hunter2 style='display:none'><input type=hidden value=hunter2>";
    expect(JSON.stringify(await nodesOf(markup, INCLUDED))).not.toContain("hunter2");
  });

  it("is no part of a name", async () => {
    expect(await controlsOf("<button>Go<i style='display:none'>on</i></button>")).toEqual([
      'button "Go"',
    ]);
    const nodes = await nodesOf("<button>Go<i style='display:none'>on</i></button>", INCLUDED);
    expect(nodes.find((node) => node[2] === "button")?.[3 as 1]).toBe("Go");
  });
});

describe("what a style sheet cuts away", () => {
  it.each([
    "circle(0)",
    "circle(0% at 10px 10px)",
    "ellipse(0 50px)",
    "polygon(0 0, 0 0, 0 0)",
    "polygon(0 0, 100% 0, 50% 0)",
    "inset(50%)",
    "inset(0 100% 0 0 round 5px)",
  ])("is not told: %s", async (clipPath) => {
    const markup = `<div id=x style='clip-path:${clipPath}'><p id=y>Menu</p></div>`;
    expect(await wordsOf(markup)).toBe("");
    for (const { hiddenBy } of ask({ css: "#x,#y" }).matches) expect(hiddenBy).toBe("clipped");
  });

  it.each([
    "circle(50%)",
    "circle(at 0 0)",
    "polygon(0 0, 100% 0, 50% 100%)",
    "polygon(calc(100% - 10px) 0, 100% 10px, 100% 100%, 0 100%)",
    "polygon(0 0, 0 calc(100% - 20px), 20px 100%, 100% 100%, 100% 0)",
    "inset(10%)",
  ])("is told where it leaves something: %s", async (clipPath) => {
    expect(await wordsOf(`<div id=x style='clip-path:${clipPath}'>Menu</div>`)).toBe("Menu");
    expect(ask({ css: "#x" }).matches[0]?.hiddenBy).toBeUndefined();
  });
});

describe("what a style sheet changes", () => {
  it("is told as it is by now, however often the page was looked at", async () => {
    const words = async () =>
      (await readFacts()).nodes.flatMap((node) => (isText(node) ? [node[1]] : [])).join("|");
    show("<style>.gone{display:none} .faded{opacity:0}</style><p>one</p><p>two</p><p>three</p>");
    const [, second, third] = document.body.querySelectorAll("p");
    expect(await words()).toBe("one|two|three");
    second?.classList.add("gone");
    third?.classList.add("faded");
    expect(await words()).toBe("one");
    second?.classList.remove("gone");
    expect(await words()).toBe("one|two");
  });
});

describe("a pointer that something inherits from a control", () => {
  it.each([
    [
      "<label role=button style='cursor:pointer'><span>Save</span> all</label>",
      ['button "Save all"'],
    ],
    [
      "<label role=button style='cursor:pointer'><input type=checkbox><span>Active</span></label>",
      ['checkbox "Active"'],
    ],
    ["<a href='#x' style='visibility:hidden'><span style='visibility:visible'>text</span></a>", []],
  ])("makes it none of its own: %s", async (markup, controls) => {
    expect(await controlsOf(markup)).toEqual(controls);
  });
});

describe("a box that shows nothing", () => {
  const fixed = "position:fixed;top:20px;left:20px;width:200px;height:90px";
  const hanging = "position:absolute;top:20px;left:20px;width:200px;height:90px";

  it.each([
    `<div style="overflow:hidden;height:0;width:0"><div style="${fixed}">Hi <button>OK</button></div></div>`,
    `<div style="overflow:hidden;height:0"><p>cut off</p><i><b style="${hanging}">Hi <button>OK</button></b></i></div>`,
    `<div style="overflow:hidden;height:0;position:relative"><b popover style="${fixed}">Hi <button>OK</button></b></div>`,
    `<div style="overflow:hidden;height:0"><div class=host><b style="${fixed}">Hi <button>OK</button></b></div></div>`,
  ])("still tells what it doesn't cut off: %s", async (markup) => {
    show(markup);
    for (const popover of document.querySelectorAll<HTMLElement>("[popover]"))
      popover.showPopover();
    const host = document.querySelector(".host");
    if (host) host.attachShadow({ mode: "open" }).innerHTML = "<p>cut off</p><slot></slot>";
    const words = (await readFacts()).nodes.map((node) => (isText(node) ? node[1] : node[3]));
    expect(words.filter(Boolean).map((word) => word?.trim())).toEqual(["Hi", "OK"]);
  });

  it.each([
    `<div style="overflow:hidden;height:0;position:relative"><b style="${hanging}">gone <button>OK</button></b></div>`,
    `<div style="overflow:hidden;height:0"><div style="display:none"><b style="${fixed}">gone</b></div></div>`,
    `<div style="overflow:hidden;height:0"><div style="opacity:0"><b style="${fixed}">gone</b></div></div>`,
    `<div style="overflow:hidden;height:0"><div style="transform:translate(0)"><b style="${fixed}">gone</b></div></div>`,
    `<div style="overflow:hidden;height:0;will-change:transform"><b style="${fixed}">gone</b></div>`,
    `<div style="overflow:hidden;height:0;contain:paint"><b style="${hanging}">gone</b></div>`,
    `<div style="overflow:hidden;height:0"><details><summary>s</summary><b style="${fixed}">gone</b></details></div>`,
    `<div style="overflow:hidden;height:0"><div style="content-visibility:hidden"><b style="${fixed}">gone</b></div></div>`,
  ])("tells nothing else: %s", async (markup) => {
    expect(await nodesOf(markup)).toEqual([]);
  });

  it.each(["hidden", "clip", "auto"])("is never the page itself: overflow %s", async (overflow) => {
    const root = document.documentElement;
    root.style.overflow = overflow;
    document.body.style.cssText = `overflow:${overflow};margin:0;min-height:0;max-height:0`;
    try {
      const nodes = await nodesOf(`<div style="${hanging}">Hello <button>Play</button></div>`);
      expect(document.body.getBoundingClientRect().height).toBe(0);
      expect(nodes.some((node) => !isText(node) && node[3] === "Play")).toBe(true);
    } finally {
      root.removeAttribute("style");
      document.body.removeAttribute("style");
    }
  });
});
