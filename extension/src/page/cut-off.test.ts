import { expect, it } from "vitest";
import { wordsOf } from "./page.fixture";

const LINES = "<p>one</p><p>two</p><p>three</p><p>four</p>";

function box(style: string, content = LINES): string {
  return `<div style="line-height:20px;width:200px;${style}">${content}</div>`;
}

it.each([
  box("max-height:50px;overflow:hidden"),
  box("height:50px;overflow:clip"),
  box("height:50px;overflow:hidden", `<section>${LINES}</section>`),
  box(
    "height:50px;overflow:hidden;position:relative",
    `<div style="position:absolute">${LINES}</div>`,
  ),
  box("height:200px;overflow:hidden", box("height:50px;overflow:hidden")),
])("words that a box has no room for are said to be cut off: %s", async (markup) => {
  expect(await wordsOf(markup)).toBe("one|two|three|four (cut off)");
});

it("a text of which only the first lines are shown is cut off", async () => {
  const words = "word ".repeat(60).trim();
  const clamp = "display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2";
  expect(await wordsOf(`${box(`${clamp};overflow:hidden`, words)}<p>after</p>`)).toBe(
    `${words} (cut off)|after`,
  );
});

it("a box in a box that is cut off is said to be so once", async () => {
  const inner = box("height:30px;overflow:hidden");
  expect(await wordsOf(box("height:10px;overflow:hidden", inner))).toBe(
    "one|two|three|four (cut off)",
  );
});

it.each([
  ["all of it is there", box("overflow:hidden")],
  ["one can scroll", box("height:50px;overflow:auto")],
  ["the box lets it flow out", box("height:50px")],
  [
    "one can scroll to it, and something else is",
    box(
      "height:50px;overflow:hidden",
      `<i style="display:block;height:90px;margin-bottom:-90px"></i>${box("height:50px;overflow:auto")}`,
    ),
  ],
  [
    "it stands elsewhere, and only a picture is",
    box(
      "height:50px;overflow:hidden",
      "<img height=400><p style='position:fixed;top:200px'>one</p>",
    ),
  ],
  [
    "it is laid over the page, and only a picture is",
    box(
      "height:50px;overflow:hidden",
      "<img height=400><p style='position:absolute;top:200px'>one</p>",
    ),
  ],
  [
    "only a picture is",
    box(
      "height:90px;overflow:hidden",
      "<img height=400><p style='position:absolute;margin-top:-390px'>one</p>",
    ),
  ],
  [
    "less than a line is",
    box("height:75px;overflow:hidden", `${LINES.replaceAll("<p", "<p style='margin:0'")}`),
  ],
])("nothing is cut off where %s", async (_, markup) => {
  expect(await wordsOf(markup)).not.toContain("(cut off)");
});

it("the name of a control is not marked, nor a page that can't be scrolled", async () => {
  expect(await wordsOf(`<button style="height:20px;overflow:hidden">${LINES}</button>`)).toBe(
    "one two three four",
  );
  document.body.style.cssText = "height:30px;overflow:hidden";
  expect(await wordsOf(LINES)).toBe("one|two|three|four");
  document.body.style.cssText = "";
});
