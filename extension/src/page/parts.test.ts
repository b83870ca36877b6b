import { describe, expect, it } from "vitest";
import { Flag } from "../protocol/generated";
import { facts } from "./facts";
import { numberOf } from "./numbers";
import { elementsOf, show, wordsOf } from "./page.fixture";

const PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

it("tells one element and what is in it", async () => {
  show("<h1>Above</h1><ul id=list><li>One<li>Two</ul><p>Below</p>");
  const list = document.getElementById("list") as Element;
  const told = await facts({ root: numberOf(list) });
  expect(told).toContain("Two");
  expect(told).not.toContain("Above");
  expect(told).not.toContain("Below");
});

it("refuses an element that is gone", async () => {
  show("<p id=gone>Here</p>");
  const gone = document.getElementById("gone") as Element;
  const root = numberOf(gone);
  gone.remove();
  await expect(facts({ root })).rejects.toMatchObject({ code: "stale_ref" });
});

it("says whose name is only a picture's", async () => {
  const img = `<img src="${PIXEL}" alt="A cat" width=50 height=50>`;
  const links = await elementsOf(
    `<a href=/1>${img}</a><a href=/2>${img} Cats</a><a href=/3 aria-label=Stated>${img}</a>
     <a href=/4>Words</a><button>${img}<span aria-hidden=true>Seen</span></button>`,
  );
  const controls = links.filter(([, , , , flags = 0]) => flags & Flag.Control);
  const pictured = controls.map(([, , , name, flags = 0]) => [name, (flags & Flag.Picture) !== 0]);
  expect(pictured).toEqual([
    ["A cat", true],
    ["A cat Cats", false],
    ["Stated", false],
    ["Words", false],
    ["A cat", false],
  ]);
});

it("tells the words of a control whose name leaves them out", async () => {
  const told = await elementsOf(
    `<button aria-label=Pinterest>Pin it</button><button aria-label="Pin it now">Pin it</button>
     <button aria-label=Close><svg></svg></button>
     <a href="/x">Tea <article>Green and black</article></a><a href="/y" title=Rate><i aria-hidden=true>★</i></a>`,
  );
  const controls = told.filter(([, , , , flags = 0]) => flags & Flag.Control);
  expect(controls.map(([, , , name, , , , state]) => [name, state?.shows])).toEqual([
    ["Pinterest", "Pin it"],
    ["Pin it now", undefined],
    ["Close", undefined],
    ["Tea", "Tea Green and black"],
    ["Rate", "★"],
  ]);
});

it.each([
  ["a link around an article", "<a href='/x'>", "</a>"],
  ["a button that is called something else", "<button aria-label=Open>", "</button>"],
  ["a link of a long name", `<a href='/x' aria-label='${"Open ".repeat(60)}'>`, "</a>"],
  [
    "what a screen reader doesn't say",
    "<a href='/x' aria-label=Open><b aria-hidden=true>",
    "</b></a>",
  ],
])("tells all the words of %s, however many", async (_, before, after) => {
  const words = Array.from({ length: 900 }, (_, index) => `w${index}`);
  const paragraphs = Array.from(
    { length: 9 },
    (_, index) => `<p>${words.slice(index * 100, (index + 1) * 100).join(" ")}</p>`,
  );
  const told = (await wordsOf(`${before}${paragraphs.join("")}${after}`)).split(/[|\s]+/);
  const shown = (await elementsOf(`${before}${paragraphs.join("")}${after}`)).map(
    ([, , , , , , , state]) => state?.shows ?? "",
  );
  const all = new Set([...told, ...shown.join(" ").split(" ")]);
  expect(words.filter((word) => !all.has(word))).toEqual([]);
});

it("tells all of many short words, each on a line of its own", async () => {
  const words = Array.from({ length: 900 }, (_, index) => `w${index}`);
  const lines = words.map((word) => `<div>\n        ${word}\n      </div>`).join("\n  ");
  const told = (await wordsOf(`<a href='/x'>${lines}</a>`)).split(/[|\s]+/);
  expect(words.filter((word) => !told.includes(word))).toEqual([]);
});

it("tells all the words of a link that are no part of its name", async () => {
  const words = "word ".repeat(100).trim();
  const told = await elementsOf(
    `<a href="/x"><article>${words}</article></a><a href="/y">More <article>${words}</article></a>`,
  );
  const links = told.filter(([, , role]) => role === "link");
  expect(links.map(([, , , name, , , , state]) => [name, state?.shows])).toEqual([
    ["", words],
    ["More", `More ${words}`],
  ]);
});

describe("what a name has no room for", () => {
  const long = "word ".repeat(500);

  it.each([
    `<div contenteditable><p>${long}</p><p>the end</p></div>`,
    `<label><input type=checkbox> ${long} the end</label>`,
    `<input id=i><label for=i>${long} the end</label>`,
    `<fieldset><legend>${long} the end</legend><input></fieldset>`,
  ])("stands behind it: %#", async (markup) => {
    expect(await wordsOf(markup)).toContain("the end");
  });

  it.each([
    `<select>${"<option>a country of the world".repeat(100)}</select>`,
    `<textarea>${long}</textarea>`,
    `<style>${long}</style><input>`,
  ])("is not what a label holds and doesn't say: %#", async (held) => {
    const words = await wordsOf(`<label>Country ${held}</label>`);
    expect(words.match(/Country/g)).toHaveLength(1);
  });
});
