import { describe, expect, it } from "vitest";
import { insertInto, isAsTyped } from "./insertion";
import { show } from "./page.fixture";

function field(markup: string): HTMLInputElement {
  show(markup);
  const input = document.querySelector("input,textarea") as HTMLInputElement;
  input.focus();
  return input;
}

describe("text into a plain field", () => {
  it("replaces what is selected, after the page was asked", () => {
    const input = field("<input value=old>");
    const heard: string[] = [];
    for (const type of ["beforeinput", "input"]) {
      input.addEventListener(type, (event) => {
        const { inputType, data, isTrusted } = event as InputEvent;
        heard.push(`${type} ${inputType} ${data} ${isTrusted}`);
      });
    }
    input.select();
    expect(insertInto(input, "new")).toBe(true);
    expect(input.value).toBe("new");
    expect(heard).toEqual(["beforeinput insertText new false", "input insertText new true"]);
  });

  it("stays out where the page objects", () => {
    const input = field("<input value=old>");
    input.addEventListener("beforeinput", (event) => event.preventDefault());
    expect(insertInto(input, "new")).toBe(true);
    expect(input.value).toBe("old");
  });

  it("empties a field where there is none", () => {
    const input = field("<input value=old>");
    input.select();
    expect(insertInto(input, "")).toBe(true);
    expect(input.value).toBe("");
  });
});

it.each([
  ["<input>", "x", true],
  ["<input required>", "x", true],
  ["<input minlength=8>", "short", false],
  ["<input minlength=8>", "long enough", true],
  ["<input type=email>", "nobody", false],
  ["<input type=email>", "a@b.example", true],
  ["<input pattern='[0-9]+'>", "x", false],
  ["<input pattern='[0-9]+' disabled>", "x", true],
  ["<textarea minlength=3></textarea>", "x", false],
])("in %s %s is as if it was typed: %s", (markup, text, expected) => {
  expect(isAsTyped(field(markup), text)).toBe(expected);
});
