import { describe, expect, it } from "vitest";
import { show } from "./page.fixture";
import { secretsIn } from "./secrets-in";

function foundIn(text: string): string[] {
  return secretsIn({ text }).map(([start, end]) => text.slice(start, end));
}

describe("what a secret field holds", () => {
  it("is found as it is and as JSON writes it", () => {
    show("<input type=password>");
    const field = document.querySelector("input");
    if (field) field.value = ' a"b\\c ';
    expect(foundIn(JSON.stringify({ held: 'a"b\\c' }))).toEqual(['a\\"b\\\\c']);
    expect(foundIn('SyntaxError: /a"b\\c/')).toEqual(['a"b\\c']);
  });

  it.each([
    "<div contenteditable id=otp>hunter2</div>",
    "<div contenteditable id=otp>hun<b>ter2</b></div>",
    "<textarea name=otp>hunter2</textarea>",
    "<select autocomplete=cc-exp-month><option selected>hunter2</select>",
  ])("is found whatever the field is: %s", (markup) => {
    show(markup);
    expect(foundIn("so hunter2!")).toContain("hunter2");
  });

  it("is found piece by piece where it is written in several", () => {
    show("<div contenteditable id=otp><p>hunter2</p><p>sailor</p></div>");
    expect(foundIn(document.body.innerHTML)).toEqual(["hunter2", "sailor"]);
  });

  it("is found as a whole where each box takes one letter", () => {
    show(
      `<div>${[1, 2, 3, 4].map((digit) => `<input maxlength=1 value=${digit}>`).join("")}</div>`,
    );
    expect(foundIn('"1234" 1 2')).toEqual(["1234"]);
  });

  it("is found as a number of its own, if it is the short code of a card", () => {
    show("<input autocomplete=cc-csc value=123>");
    expect(foundIn('{"code":"123","n":123,"text":"CVV\\n123"}')).toEqual(["123", "123", "123"]);
    expect(foundIn("1234 0123 12.123 123.5 0.1234")).toEqual([]);
  });
});
