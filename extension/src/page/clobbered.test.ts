import { expect, it } from "vitest";
import { readFacts } from "./page.fixture";

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
