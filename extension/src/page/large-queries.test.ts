import { afterEach, describe, expect, it } from "vitest";
import type { QueryArgs, Selector } from "../protocol/generated";
import { best, chained, LONGEST_BLOCK_MS, type Markup, measured } from "./large-pages.fixture";
import { show } from "./page.fixture";
import { query } from "./query";

/** For ten times the elements; a square would take a hundred times as long. */
const MOST_TIMES = 35;

afterEach(() => show(""));

function ask(selector: Selector, more: Partial<QueryArgs> = {}): () => Promise<unknown> {
  const usual = { visibleOnly: false, limit: 200, textLetters: 200, styles: [] };
  return () => query({ selector, ...usual, ...more });
}

const css = (selector: string): Selector => ({ css: selector });

/** What is asked of each kind of page could cost a look at all of it for every element. */
const PAGES: Record<string, [Markup, () => Promise<unknown>]> = {
  "elements that only their place tells apart": [
    (count) => "<div><p>Some <b>words</b></p></div>".repeat(count / 3),
    ask(css("b")),
  ],
  "elements with names that others have too": [
    (count) => "<p><i name=n data-cy=c aria-label=a>word</i></p>".repeat(count / 2),
    ask(css("i")),
  ],
  "elements of no size in each other": [
    (count) => chained("div", 200, "").repeat(count / 200),
    ask(css("div"), { visibleOnly: true }),
  ],
  "boxes that cut off what is in them": [
    (count) => chained("div style='overflow:hidden;height:20px'", 200, "word").repeat(count / 200),
    ask(css("div"), { visibleOnly: true }),
  ],
  "fields beside labels": [
    (count) =>
      Array.from(
        { length: count / 3 },
        (_, index) => `<p><label for=f${index}>Name</label><input id=f${index}></p>`,
      ).join(""),
    ask({ role: { role: "textbox", name: "name" } }),
  ],
  "texts that are alike": [
    (count) => "<p>Some <b>words</b></p>".repeat(count / 2),
    ask({ text: { text: "words", exact: false } }),
  ],
  "parts that look clickable": [
    (count) =>
      chained("div style='cursor:pointer'><div style='cursor:auto'", 50, "<a href=/>a</a>")
        .replaceAll("</div>", "</div></div>")
        .repeat(count / 101),
    ask(css("div")),
  ],
  "areas of pictures": [
    (count) =>
      "<img usemap=#m alt=a><map name=m><area href=/ coords=0,0,9,9></map>".repeat(count / 3),
    ask(css("area"), { visibleOnly: true }),
  ],
};

describe("a question about a large page", () => {
  it.each(Object.entries(PAGES))(
    "takes time in proportion, and leaves the page its own: %s",
    async (kind, [markup, work]) => {
      show(markup(10_000));
      await measured(work);
      const small = await measured(work);
      const longestMs = MOST_TIMES * Math.max(small.ms, 20);
      show(markup(100_000));
      const large = await best(
        work,
        ({ ms, longestBlockMs }) => ms < longestMs && longestBlockMs < LONGEST_BLOCK_MS,
      );
      console.info(
        `${kind}: 10,000 elements in ${Math.round(small.ms)} ms, 100,000 in ` +
          `${Math.round(large.ms)} ms, longest block ${Math.round(large.longestBlockMs)} ms`,
      );
      expect(large.ms).toBeLessThan(longestMs);
      expect(large.longestBlockMs).toBeLessThan(LONGEST_BLOCK_MS);
    },
    120_000,
  );

  it("is answered of the page as it is at the end, if it changes meanwhile", async () => {
    show("<p>Some <b>words</b></p>".repeat(50_000));
    const asked = query({
      selector: css("b"),
      visibleOnly: true,
      limit: 1,
      textLetters: 20,
      styles: [],
    });
    const added = new Promise<void>((resolve) => {
      // After the first slice, while the question is under way.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        document.body.insertAdjacentHTML("afterbegin", "<p><b>first</b></p>");
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    });
    await added;
    const { total, matches } = await asked;
    expect([total, matches[0]?.text]).toEqual([50_001, "first"]);
  });
});
