import { beforeEach, expect, test } from "vitest";
import { keepStyles, MOST_STYLES, styleOf } from "./styles";

/** As many elements as asked for, looked at in their order. */
function lookedAt(count: number): Element[] {
  document.body.innerHTML = "<i></i>".repeat(count);
  keepStyles();
  const elements = [...document.querySelectorAll("i")];
  for (const element of elements) styleOf(element);
  return elements;
}

function isKept(element: Element): boolean {
  const style = styleOf(element);
  return styleOf(element) === style;
}

beforeEach(() => {
  // Whatever was kept before is too much now.
  lookedAt(MOST_STYLES);
});

test("a style is made once, and is a live one", () => {
  const [element] = lookedAt(3) as [HTMLElement];
  const style = styleOf(element);
  keepStyles();
  expect(styleOf(element)).toBe(style);
  element.style.display = "grid";
  expect(style.display).toBe("grid");
});

test("of a very large page no more are kept than the page can bear", () => {
  const elements = lookedAt(MOST_STYLES + 2);
  expect(elements.map(isKept).filter(Boolean).length).toBe(MOST_STYLES);
  expect(elements.slice(-2).map(isKept)).toEqual([false, false]);
});

test("what was kept of elements that are gone takes nobody's place for long", () => {
  lookedAt(MOST_STYLES);
  expect(lookedAt(3).map(isKept)).toEqual([true, true, true]);
});
