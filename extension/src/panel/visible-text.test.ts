import { describe, expect, it } from "vitest";
import { make } from "./keyed-list";
import { visibleText } from "./visible-text";

const shown = (text: string) => make("div", "", ...visibleText(text));

describe("text of others", () => {
  it.each([
    ["plain", "plain"],
    ["<b>no markup</b>", "<b>no markup</b>"],
    ["two\nlines", "two↵\nlines"],
    ["two\r\nlines", "two↵\nlines"],
    ["a\tb", "a⇥\tb"],
    ["exe.\u202Efdp", "exe.U+202Efdp"],
    ["pay\u200Bpal", "payU+200Bpal"],
    ["tag \u{E0041}", "tag U+E0041"],
    ["bell \u0007 half \uD800", "bell U+0007 half U+D800"],
    ["👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ])("%j is shown in full", (text, words) => {
    expect(shown(text).textContent).toBe(words);
    expect(shown(text).querySelector("b")).toBeNull();
  });

  it("marks what is named, so that it isn't taken for text", () => {
    const named = shown("U+202E \u202E").querySelectorAll(".unseen-character");
    expect([...named].map(({ textContent }) => textContent)).toEqual(["U+202E"]);
  });
});
