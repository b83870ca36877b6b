import { describe, expect, it } from "vitest";
import type { FieldText } from "../protocol/generated";
import { fieldText } from "./field-text";
import { numberOfControl } from "./page.fixture";

const { origin } = location;

async function textOf(markup: string): Promise<FieldText> {
  return fieldText({ node: await numberOfControl(markup), origin, clear: false });
}

describe("the text of a field", () => {
  it.each([
    ["<input value=abc>", "abc"],
    ["<input>", ""],
    ["<input type=date value=2026-01-02>", "2026-01-02"],
    ["<textarea>one\ntwo</textarea>", "one\ntwo"],
    ["<div contenteditable>one<br>two</div>", "one\ntwo"],
    ["<div role=textbox tabindex=0>abc</div>", "abc"],
    ["<div role=combobox><input style='width:50px' value=abc></div>", "abc"],
  ])("is what it holds: %s", async (markup, text) => {
    expect(await textOf(markup)).toEqual({ text, focused: false });
  });

  it("is what was typed, not what the page came with", async () => {
    const node = await numberOfControl("<input value=before>");
    const input = document.querySelector("input");
    if (input) input.value = "after";
    expect(fieldText({ node, origin, clear: false })).toEqual({ text: "after", focused: false });
  });

  it.each([
    "<input type=password value=hunter2>",
    "<textarea name=otp>hunter2</textarea>",
    "<div role=combobox><input type=password style='width:50px' value=hunter2></div>",
  ])("is absent for a secret: %s", async (markup) => {
    expect(await textOf(markup)).toEqual({ focused: false });
  });

  it("comes with whether the focus is still there", async () => {
    const node = await numberOfControl("<input value=abc><input>");
    document.querySelector("input")?.focus();
    expect(fieldText({ node, origin, clear: false })).toEqual({ text: "abc", focused: true });
  });

  it("is refused like every other call on an element", async () => {
    const node = await numberOfControl("<input value=abc>");
    const elsewhere = { node, origin: "https://example.com", clear: false };
    expect(() => fieldText(elsewhere)).toThrow(expect.objectContaining({ code: "origin_changed" }));
    document.querySelector("input")?.remove();
    const here = { node, origin, clear: false };
    expect(() => fieldText(here)).toThrow(expect.objectContaining({ code: "stale_ref" }));
    await expect(textOf("<button>x</button>")).rejects.toMatchObject({ code: "not_editable" });
  });
});
