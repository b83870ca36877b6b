import { afterEach, describe, expect, it } from "vitest";
import { show } from "./page.fixture";
import { forgetText, noteText, textSoFar } from "./typed";

afterEach(() => {
  forgetText();
  show("");
});

function ready(markup: string): HTMLInputElement {
  show(markup);
  const input = document.querySelector("input");
  if (!input) throw new Error("no input");
  input.focus();
  noteText(input);
  return input;
}

describe("the text of a field that was made ready", () => {
  it("is what it holds, and whether that is new", () => {
    const input = ready("<input value=abc>");
    expect(textSoFar()).toEqual({ text: "abc", focused: true, unchanged: true });
    input.value = "abcd";
    expect(textSoFar()).toEqual({ text: "abcd", focused: true });
  });

  it("is told of no field once something else is made ready", () => {
    ready("<input value=abc>");
    forgetText();
    expect(textSoFar()).toBeUndefined();
  });

  it("is told of no field that is gone", () => {
    ready("<input value=abc>").remove();
    expect(textSoFar()).toBeUndefined();
  });

  it("stays in the page though what made it a secret is gone", () => {
    const input = ready("<label>Verification code <input value=1234></label>");
    expect(textSoFar()).not.toHaveProperty("text");
    document.body.append(input);
    document.querySelector("label")?.remove();
    expect(textSoFar()).not.toHaveProperty("text");
    input.remove();
  });
});
