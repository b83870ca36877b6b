import { describe, expect, it } from "vitest";
import { type Context, changesOf, isMeaningful } from "./changes";

const PAGE: Context = {
  url: "https://tea.test/",
  title: "Tea",
  viewport: { width: 800, height: 600, scrollX: 0, scrollY: 0, devicePixelRatio: 1 },
  dom: { rootId: "0", map: { 0: { tagName: "body", children: [] } }, interactiveElements: {} },
  content: { mainText: "Steep for 3 minutes, at 12:01.", headings: ["Tea"], links: [] },
};

const changed = (changes: Context): Context => ({ ...PAGE, ...changes });

describe("what is told of a change", () => {
  it("is nothing where nothing changed", () => {
    expect(changesOf(PAGE, structuredClone(PAGE))).toEqual({});
  });

  it("is the fields that are another, lists whole", () => {
    const content = { ...(PAGE.content as Context), headings: ["Tea", "Milk"] };
    expect(changesOf(PAGE, changed({ title: "Milk", content }))).toEqual({
      title: "Milk",
      content: { headings: ["Tea", "Milk"] },
    });
  });

  it("names what is gone with nothing in it", () => {
    expect(changesOf(PAGE, { url: PAGE.url })).toEqual({
      title: null,
      viewport: null,
      dom: null,
      content: null,
    });
  });
});

describe("what is worth telling", () => {
  const ISNT: [string, Context][] = [
    ["scrolling", { viewport: { width: 800, height: 600, scrollX: 0, scrollY: 90 } }],
    [
      "a clock",
      { content: { ...(PAGE.content as Context), mainText: "Steep for 3 minutes, at 12:02." } },
    ],
    ["boxes around", { dom: { rootId: "7", map: {}, interactiveElements: {} } }],
  ];
  it.each(ISNT)("is not %s", (_, changes) => {
    expect(isMeaningful(PAGE, changed(changes))).toBe(false);
  });

  const IS: [string, Context][] = [
    ["another address", { url: "https://tea.test/milk" }],
    ["another title", { title: "Milk" }],
    ["other words", { content: { ...(PAGE.content as Context), mainText: "No tea left." } }],
    ["another heading", { content: { ...(PAGE.content as Context), headings: ["Milk"] } }],
    [
      "another button",
      { dom: { rootId: "0", map: {}, interactiveElements: { 0: { tag: "button" } } } },
    ],
  ];
  it.each(IS)("is %s", (_, changes) => {
    expect(isMeaningful(PAGE, changed(changes))).toBe(true);
  });
});
