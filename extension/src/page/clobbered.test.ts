import { describe, expect, it } from "vitest";
import { Flag } from "../protocol/generated";
import { hasText } from "./has-text";
import { isText } from "./lines";
import { elementsOf, readFacts, show, wordsOf } from "./page.fixture";

it("reads a form whose fields hide its own properties", async () => {
  document.body.innerHTML = `<form onclick="void 0">
    <input name="getAttribute" aria-label="One"><input name="localName"><input name="children">
    <input name="matches"><input name="parentElement"><input name="shadowRoot"><input name="id">
    <input name="hasAttribute"><input name="getBoundingClientRect"><input name="contains">
    <input name="assignedSlot"><input name="childNodes"><input name="tagName"><input name="firstChild">
    <input name="nodeType"><input name="nextSibling"><button>Send</button></form><p>After</p>`;
  const names = (await readFacts()).nodes.map((node) => (node.length > 2 ? node[3] : node[1]));
  expect(names).toContain("One");
  expect(names).toContain("Send");
  expect(names).toContain("After");
});

it("reads a document whose pictures and forms hide its own properties", async () => {
  const names =
    "body documentElement title scrollingElement activeElement elementFromPoint createRange querySelector querySelectorAll getElementById addEventListener removeEventListener readyState getAnimations children childNodes firstChild nodeType contains".split(
      " ",
    );
  const holder = document.body.appendChild(document.createElement("div"));
  holder.innerHTML = `${names.map((name) => `<img name="${name}" alt="">`).join("")}
    <i id="of">Label</i><input aria-labelledby="of"><label for="f">Field</label><input id="f">
    <a href="x">Link</a><div style="height:0">Flows out</div>`;
  try {
    const { nodes } = await readFacts();
    const words = nodes.map((node) => (node.length > 2 ? node[3] : node[1]));
    for (const word of ["Label", "Field", "Link", "Flows out"]) expect(words).toContain(word);
    expect(await hasText({ text: "flows out" })).toBe(true);
  } finally {
    // Not through the document: its own ways are hidden still.
    holder.remove();
  }
});

it("reads a document without a body, and one without anything", async () => {
  const { body, documentElement } = document;
  body.remove();
  try {
    expect((await readFacts()).nodes).toEqual([]);
    documentElement.remove();
    expect((await readFacts()).nodes).toEqual([]);
  } finally {
    document.append(documentElement);
    documentElement.append(body);
  }
});

describe("a form whose fields hide its own properties", () => {
  const names = [
    "action",
    "id",
    "name",
    "title",
    "method",
    "matches",
    "textContent",
    "getBoundingClientRect",
  ];
  const styles = [
    "display:none",
    "visibility:hidden",
    "opacity:0",
    "position:absolute;left:-9999px",
    "height:0;overflow:hidden",
  ];

  it.each(names.flatMap((name) => styles.map((style) => [name, style])))(
    "is as hidden as its own style says: %s, %s",
    async (name, style) => {
      const form = `<form style="${style}"><input type=hidden name=${name}>Secret<button>Delete</button></form>`;
      expect(await wordsOf(`${form}<p>After</p>`)).toBe("After");
      const hidden = await elementsOf(form, { includeHidden: true });
      const button = hidden.find(([, tag]) => tag === "button");
      expect((button?.[4] ?? 0) & Flag.Hidden).toBe(Flag.Hidden);
    },
  );

  it.each(names)("is a block of text as any other: %s", async (name) => {
    const form = `<form style="text-decoration:line-through" id=f>Words</form><p>After</p>`;
    const field = `<input type=hidden form=f name=${name}>`;
    expect(await wordsOf(`${form}${field}`)).toBe("~~Words~~|After");
  });

  it("tells what is scrolled out of it", async () => {
    const style = "height:100px;overflow:auto";
    const filler = "<p style='height:5000px'>Long</p>";
    show(`<form style="${style}"><input type=hidden name=scrollTop><p>First</p>${filler}</form>`);
    document.querySelector("form")?.scrollTo(0, 5000);
    const { nodes } = await readFacts();
    expect(nodes.flatMap((node) => (isText(node) ? [node[1]] : []))).toEqual(["First", "Long"]);
  });
});
