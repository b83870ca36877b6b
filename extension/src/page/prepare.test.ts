import { beforeEach, describe, expect, it } from "vitest";
import { focusForText } from "./focus";
import { hasText } from "./has-text";
import { elementAt } from "./hit";
import { controlNumbers, numberOfControl, show } from "./page.fixture";
import { prepare } from "./prepare";

const { origin } = location;

async function prepared(markup: string, change?: () => void): Promise<unknown> {
  const node = await numberOfControl(markup);
  change?.();
  return prepare({ node, origin, clear: false });
}

function first(selector: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(selector);
  if (!element) throw new Error(`Nothing matches ${selector}.`);
  return element;
}

beforeEach(() => scrollTo(0, 0));

describe("preparing an element", () => {
  it("is refused as `stale_ref` once it is gone", async () => {
    const gone = prepared("<button>x</button>", () => first("button").remove());
    await expect(gone).rejects.toMatchObject({ code: "stale_ref" });
    const never = prepare({ node: 987_654, origin, clear: false });
    await expect(never).rejects.toMatchObject({ code: "stale_ref" });
  });

  it("is refused as `origin_changed` on another site than was authorized", async () => {
    const node = await numberOfControl("<button>x</button>");
    const call = prepare({ node, origin: "https://example.com", clear: false });
    await expect(call).rejects.toMatchObject({ code: "origin_changed", details: { origin } });
  });

  it.each([
    "display:none",
    "visibility:hidden",
    "opacity:0",
    "width:0;height:0;padding:0;border:0",
  ])("is refused as `hidden` when it has become invisible (%s)", async (style) => {
    const hidden = prepared("<button>x</button>", () =>
      first("button").setAttribute("style", style),
    );
    await expect(hidden).rejects.toMatchObject({ code: "hidden" });
  });

  it.each([
    "<button disabled>x</button>",
    "<button aria-disabled=true>x</button>",
    "<fieldset disabled><button>x</button></fieldset>",
    "<div inert><button>x</button></div>",
  ])("is refused as `disabled`: %s", async (markup) => {
    await expect(prepared(markup)).rejects.toMatchObject({ code: "disabled" });
  });

  it("is refused as `covered`, naming what covers it", async () => {
    const cover = "<div id=consent style='position:fixed;inset:0;background:#fff'>Cookies?</div>";
    const covered = prepared(`<button>x</button>${cover}`);
    await expect(covered).rejects.toMatchObject({
      code: "covered",
      message: "Something else covers the element. Close or scroll away what covers it.",
      details: { by: 'div#consent "Cookies?"' },
    });
  });

  it("is refused as `covered` where it lets the event through to a region around it", async () => {
    const button = "<button style='pointer-events:none'>x</button>";
    const through = prepared(`<div role=region id=part>${button}</div>`);
    await expect(through).rejects.toMatchObject({
      code: "covered",
      details: { by: 'div#part "x"' },
    });
    await prepared(`<a href="#there">${button}</a>`);
  });

  it("is refused as `moved` while it does not stand still", async () => {
    const moving = prepared("<button style='position:absolute'>x</button>", () => {
      const path = [{ left: "0px" }, { left: "600px" }];
      first("button").animate(path, { duration: 700, iterations: 9 });
    });
    await expect(moving).rejects.toMatchObject({ code: "moved" });
  });

  it("waits for a short animation to end", async () => {
    await prepared("<button style='position:absolute'>x</button>", () => {
      const path = [{ left: "0px" }, { left: "200px" }];
      first("button").animate(path, { duration: 150, fill: "forwards" });
    });
    expect(first("button").getBoundingClientRect().left).toBe(200);
  });

  it("brings it into view", async () => {
    await prepared("<div style='height:3000px'></div><button>x</button>");
    const { top, bottom } = first("button").getBoundingClientRect();
    expect(top).toBeGreaterThan(0);
    expect(bottom).toBeLessThanOrEqual(innerHeight);
  });

  it("brings it into view of the box that it is scrolled out of", async () => {
    const inner = "<div style='height:300px'></div><button>x</button>";
    await prepared(`<div style='height:100px;overflow:auto'>${inner}</div>`);
    const { left, top } = first("button").getBoundingClientRect();
    expect(elementAt(left + 3, top + 3)).toBe(first("button"));
  });

  it.each([
    "<button><b style='display:block'>inner</b></button>",
    "<label>Agree <input type=checkbox style='pointer-events:none'></label>",
    "<a href='#x'><span style='pointer-events:none'>text</span></a>",
    "<map name=m><area href='#x' alt=x shape=circle coords='20,20,9'></map><img usemap='#m' alt='' src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==' width=40 height=40 style='margin-top:3000px'>",
    "<button style='width:200px'>x</button><i style='position:fixed;left:95px;top:0;width:30px;height:50px'></i>",
    "<p style='width:90px'>some words <a href='#x'>and a link that wraps</a></p>",
  ])("takes a point at which it gets the event: %s", async (markup) => {
    await expect(prepared(markup)).resolves.toMatchObject({ x: expect.any(Number) });
  });

  it("works inside a shadow root", async () => {
    show("<div id=host></div>");
    first("#host").attachShadow({ mode: "open" }).innerHTML = "<button>x</button>";
    const [node = 0] = await controlNumbers();
    await expect(prepare({ node, origin, clear: false })).resolves.toBeTruthy();
  });
});

describe("a field made ready for typing", () => {
  const focusing = async (markup: string, clear = false) =>
    focusForText({ node: await numberOfControl(markup), origin, clear });

  it("has the focus, with the caret at the end", async () => {
    await focusing("<input value=abc>");
    const input = document.querySelector("input");
    expect(document.activeElement).toBe(input);
    expect([input?.selectionStart, input?.selectionEnd]).toEqual([3, 3]);
  });

  it("has everything selected when it is to be emptied", async () => {
    await focusing("<textarea>abc</textarea>", true);
    const field = document.querySelector("textarea");
    expect([field?.selectionStart, field?.selectionEnd]).toEqual([0, 3]);
    await focusing("<div contenteditable>abc</div>", true);
    expect(getSelection()?.toString()).toBe("abc");
  });

  it("may be the only one inside what was asked for", async () => {
    await focusing("<div role=combobox><input style='width:50px'></div>");
    expect(document.activeElement?.localName).toBe("input");
  });

  it.each([
    "<button>x</button>",
    "<input type=checkbox>",
    "<input type=file>",
    "<a href='#'>x</a>",
  ])("is refused as `not_editable`: %s", async (markup) => {
    await expect(focusing(markup)).rejects.toMatchObject({ code: "not_editable" });
  });

  it("is refused as `disabled` when it is read-only", async () => {
    await expect(focusing("<input readonly>")).rejects.toMatchObject({ code: "disabled" });
  });
});

describe("looking for a text", () => {
  it("ignores case and runs of white space", async () => {
    show("<p>Hello\n   <b>World</b></p>");
    expect(await hasText({ text: "hello  world" })).toBe(true);
  });

  it("finds what a shadow root shows, and not what is hidden", async () => {
    show("<div id=host></div><p style='display:none'>unseen</p>");
    first("#host").attachShadow({ mode: "open" }).innerHTML = "<p>inside</p>";
    expect(await hasText({ text: "inside" })).toBe(true);
    expect(await hasText({ text: "unseen" })).toBe(false);
  });
});
