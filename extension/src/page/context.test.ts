import { afterEach, describe, expect, it } from "vitest";
import { pageContext } from "./context";
import { majorChange } from "./major-change";
import { show } from "./page.fixture";

const added: Element[] = [];
afterEach(() => {
  for (const element of added.splice(0)) element.remove();
});

function head(markup: string): void {
  const holder = document.createElement("template");
  holder.innerHTML = markup;
  added.push(...holder.content.children);
  document.head.append(...holder.content.children);
}

/** What an XPath leads to, as the browser reads it. */
function at(xpath: string): Node[] {
  const found = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  return Array.from({ length: found.snapshotLength }, (_, place) =>
    found.snapshotItem(place),
  ).flatMap((node) => node ?? []);
}

describe("the context of a page", () => {
  it("says nothing in which a field repeats a secret that it holds", async () => {
    show(`<form action=/a><input autocomplete=new-password value=kanarie placeholder="kanarie!"></form>
      <input name=pin value=kanarie title=kanarie><input name=cups value=2 placeholder="2 or 3">`);
    const told = await pageContext();
    expect(JSON.stringify(told)).not.toContain("kanarie");
    expect(JSON.stringify(told)).toContain("new-password");
  });

  it("says where it is and what it says of itself", async () => {
    document.title = "Tea";
    head(`<meta name=description content="All  about tea"><meta name=keywords content="tea, milk,,">
      <meta property=og:title content="Tea!"><meta property=og:image content="https://tea.test/cup.png">
      <meta property=og:description content=Hot><link rel="shortcut icon" href=/tea.ico>`);
    show("");
    expect(await pageContext()).toMatchObject({
      url: location.href,
      domain: location.hostname,
      title: "Tea",
      favicon: expect.stringContaining("/"),
      viewport: { width: innerWidth, height: innerHeight, scrollX: 0, scrollY: 0 },
      meta: {
        description: "All about tea",
        keywords: ["tea", "milk"],
        ogTitle: "Tea!",
        ogImage: "https://tea.test/cup.png",
        ogDescription: "Hot",
      },
    });
  });

  it("says what it shows, without what is hidden", async () => {
    show(`<h1>Tea</h1><h2 hidden>Secret</h2><p>Steep it.</p><p style="display:none">Unseen.</p>
      <a href=/milk>Milk</a><a href=/x style="visibility:hidden">X</a><a href=/cup><img alt=Cup src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=9 height=9></a>`);
    const { content } = await pageContext();
    expect(content.headings).toEqual(["Tea"]);
    expect(content.mainText).toContain("Steep it.");
    expect(content.mainText).not.toContain("Unseen");
    expect(content.links).toEqual([
      { text: "Milk", href: new URL("/milk", location.href).href },
      { text: "Cup", href: new URL("/cup", location.href).href },
    ]);
    expect(content.images).toEqual([{ alt: "Cup", src: "data:image/gif;base64,…" }]);
  });

  it("keeps to its limits", async () => {
    const many = Array.from({ length: 600 }, (_, place) => `<a href=/${place}>Link ${place}</a> `);
    show(`<p>${"word ".repeat(3_000)}</p>${many.join("")}`);
    const { content, dom } = await pageContext();
    expect(content.mainText.length).toBeLessThanOrEqual(5_000);
    expect(content.links).toHaveLength(50);
    show(
      Array.from(
        { length: 30 },
        (_, place) => `<img alt=${place} width=9 height=9 src='data:image/gif;base64,${place}'>`,
      ).join(""),
    );
    expect((await pageContext()).content.images).toHaveLength(20);
    expect(Object.keys(dom.interactiveElements)).toHaveLength(500);
    show(`<main>${"<i>x</i>".repeat(3_000)}</main>`);
    const crowded = (await pageContext()).dom;
    expect(Object.keys(crowded.map)).toHaveLength(2_000);
    expect(crowded.omitted).toBe(1_002);
  });

  it("tells forms by their fields, and never what is typed in them", async () => {
    show(`<form action=/in method=POST><input name=user placeholder=Name required value=kanarie-1>
      <input type=password name=word value=kanarie-2><input type=hidden name=csrf value=kanarie-3>
      <input name=otp value=kanarie-4><select name=size><option>kanarie-free</select>
      <textarea name=note>kanarie-5</textarea><input name=action><button value=kanarie-6>Go</button></form><form></form>`);
    const context = await pageContext();
    const input = { placeholder: "", required: false, autocomplete: "" };
    expect(context.content.forms).toEqual([
      {
        action: new URL("/in", location.href).href,
        method: "post",
        inputs: [
          { type: "text", name: "user", placeholder: "Name", required: true, autocomplete: "" },
          { ...input, type: "password", name: "word" },
          { ...input, type: "password", name: "otp" },
          { ...input, type: "select", name: "size" },
          { ...input, type: "textarea", name: "note" },
          { ...input, type: "text", name: "action" },
        ],
      },
    ]);
    expect(JSON.stringify(context)).not.toMatch(/kanarie-\d/);
  });

  it("numbers what can be used, each with a way that leads there alone", async () => {
    show(`<main><div><button id=a>One</button></div><div><button>Two</button><span>no</span>
      <a href=/x aria-label=There></a><a href=/x aria-label=Here>.</a><div style="cursor:pointer">Card</div></div>
      <button style="display:none">Gone</button></main>`);
    const { interactiveElements, map, rootId } = (await pageContext()).dom;
    const told = Object.values(interactiveElements);
    expect(told.map(({ tag, text }) => `${tag} ${text}`)).toEqual([
      "button One",
      "button Two",
      "a .",
      "div Card",
    ]);
    for (const { xpath, tag } of told) {
      const found = at(xpath);
      expect(found, xpath).toHaveLength(1);
      expect((found[0] as Element).localName).toBe(tag);
    }
    expect(told[0]?.attributes).toEqual({ id: "a" });
    expect(map[rootId]?.tagName).toBe("body");
    const numbers = Object.values(map).flatMap(({ highlightIndex }) => highlightIndex ?? []);
    expect(numbers.sort()).toEqual([0, 1, 2, 3]);
  });
});

describe("a major change", () => {
  it("is waited for, and a small one isn't one", async () => {
    show("<p id=p>Tea</p><ul></ul>");
    const heard = majorChange({ limitMs: 300 });
    document.querySelector("#p")?.replaceChildren("Milk");
    expect(await heard).toBe(false);
    const again = majorChange({ limitMs: 10_000 });
    document
      .querySelector("ul")
      ?.append(...["a", "b", "c"].map(() => document.createElement("li")));
    expect(await again).toBe(true);
  });
});
