import { afterEach, describe, expect, it } from "vitest";
import { facts } from "./facts";
import {
  best,
  chained,
  LONGEST_BLOCK_MS,
  type Markup,
  MOST_TIMES,
  measured,
} from "./large-pages.fixture";
import { readFacts, show } from "./page.fixture";

afterEach(() => show(""));

const read = () => facts(null);

/** As markup for so many elements. */
const PAGES: Record<string, Markup> = {
  flat: (count) => "<p>Some <b>words</b></p>".repeat(count / 2),
  "nested deep": (count) => chained("div", 100, "words").repeat(count / 100),
  "clickables in each other": (count) =>
    chained("div onclick='void 0'", 100, "words").repeat(count / 100),
};

/** What is asked of the browser here could each cost a look at the whole page. */
const COSTLY: Record<string, Markup> = {
  "buttons in each other": (count) => chained("div role=button", 100, "words").repeat(count / 100),
  links: (count) => "<p><a href='/x'><i>Read</i> on</a></p>".repeat(count / 3),
  "fields in labels": (count) => "<p><label>Name<input></label></p>".repeat(count / 3),
  "fields beside labels": (count) =>
    Array.from(
      { length: count / 3 },
      (_, index) => `<p><label for=f${index}>Name</label><input id=f${index}></p>`,
    ).join(""),
  "fields of one form": (count) =>
    `<form>${"<p><input></p>".repeat(count / 2)}<input type=password></form>`,
  "passwords of one form": (count) =>
    `<form>${"<p><input type=password></p>".repeat(count / 2)}</form>`,
  "boxes of one letter": (count) => `<div>${"<p><input maxlength=1></p>".repeat(count / 2)}</div>`,
  "boxes with labels that stand for them": (count) =>
    "<p><label><input type=checkbox hidden>Name</label></p>".repeat(count / 3),
  "named by one label": (count) =>
    `<div id=l>${"<i>a</i>".repeat(count / 2)}</div>${"<b tabindex=0 aria-labelledby=l></b>".repeat(count / 200)}`,
  "boxes in each other that cut off": (count) =>
    chained("div style='height:30px;overflow:hidden'", 100, "<p>words</p><p>more</p>").repeat(
      count / 100,
    ),
  "headers in sections": (count) =>
    chained("section", 100, "<header>words</header>").repeat(count / 100),
};

describe("a large page", () => {
  it.each(Object.entries(PAGES))(
    "never holds itself up for long: %s",
    async (kind, markup) => {
      show(markup(10_000));
      await measured(read);
      const small = await measured(read);
      const longestMs = MOST_TIMES * Math.max(small.ms, 20);
      show(markup(100_000));
      const large = await best(
        read,
        ({ ms, longestBlockMs }) => ms < longestMs && longestBlockMs < LONGEST_BLOCK_MS,
      );
      console.info(
        `${kind}: 10,000 elements in ${Math.round(small.ms)} ms, 100,000 in ` +
          `${Math.round(large.ms)} ms, longest block ${Math.round(large.longestBlockMs)} ms`,
      );
      expect(large.ms).toBeLessThan(longestMs);
      expect(large.longestBlockMs).toBeLessThan(LONGEST_BLOCK_MS);
    },
    60_000,
  );

  it.each(Object.entries(COSTLY))(
    "takes time in proportion to its size: %s",
    async (_, markup) => {
      show(markup(3_000));
      await measured(read);
      const small = await measured(read);
      const longestMs = MOST_TIMES * Math.max(small.ms, 10);
      show(markup(30_000));
      const large = await best(read, ({ ms }) => ms < longestMs);
      expect(large.ms).toBeLessThan(longestMs);
    },
    60_000,
  );
});

describe("text", () => {
  it("beyond four million letters is left out and counted", async () => {
    show(`<p>${"five ".repeat(1_000_000)}</p><p>more</p>`);
    const { nodes, omittedLetters } = await readFacts();
    expect(nodes.map((node) => node[1]).join("").length).toBeLessThan(4_000_100);
    expect(omittedLetters).toBe(1_000_004);
  });
});
