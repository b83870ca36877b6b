import { expect, it } from "vitest";
import { show } from "./page.fixture";
import { pageText } from "./page-text";

it.each([
  ["<h1>One</h1><p>Two <b>three</b><br>four</p>", "One\nTwo three\nfour"],
  ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"],
  ["<pre>one\n  two</pre>", "one\n  two"],
  ["<p hidden>no</p><p>yes <i style='visibility:hidden'>no</i></p>", "yes"],
  ["<p>\n   a\n   b   </p>", "a b"],
  ["", ""],
])("the words of a page are told line by line: %s", async (markup, text) => {
  show(markup);
  expect(await pageText()).toBe(text);
});
