import { describe, expect, it } from "vitest";
import { checkFields } from "./fill-check";
import { fillField } from "./fill-field";
import { heldFields } from "./fill-held";
import { submitForm } from "./fill-submit";
import { numberOf } from "./numbers";
import { controlNumbers, numberOfControl, show } from "./page.fixture";

const { origin } = location;

function asked(node: number, values: string[], files = false) {
  return { origin, choose: false, fields: [{ node, values, files }] };
}

async function refusalOf(markup: string, ...values: string[]): Promise<string | undefined> {
  const [refusal] = checkFields(asked(await numberOfControl(markup), values));
  return refusal?.code;
}

/** Whether a field that holds one text counts as holding another. */
async function takes(markup: string, value: string, held: string): Promise<unknown> {
  const node = await numberOfControl(markup);
  const field = document.querySelector<HTMLInputElement>("input,textarea");
  if (field) field.value = held;
  return heldFields(asked(node, [value]))[0];
}

describe("a field that is to be filled", () => {
  it.each([
    ["<input>", "x"],
    ["<input type=number>", "5"],
    ["<input type=date>", "2026-01-31"],
    ["<input type=color>", "#FF0000"],
    ["<input type=range>", "7"],
    ["<select><option value=g>Green</option></select>", "g"],
    ["<input type=checkbox>", "true"],
    ["<label>Agree <input type=checkbox style='opacity:0'></label>", "false"],
    ["<div role=switch tabindex=0>On</div>", "true"],
    ["<div contenteditable style='height:20px'></div>", "x"],
    ["<div role=slider tabindex=0 aria-valuenow=5 aria-valuemax=9>x</div>", "7"],
  ])("is fit for its value: %s %s", async (markup, value) => {
    expect(await refusalOf(markup, value)).toBeUndefined();
  });

  it.each([
    ["not_editable", "<button>x</button>", "x"],
    ["not_editable", "<input type=file>", "x"],
    ["disabled", "<input readonly>", "x"],
    ["disabled", "<select disabled><option>Green</option></select>", "Green"],
    ["disabled", "<select><option disabled>Green</option></select>", "Green"],
    ["not_found", "<select><option>Green</option></select>", "Blue"],
    ["invalid_arguments", "<input type=date>", "31.1.2026"],
    ["invalid_arguments", "<input type=time>", "9:30"],
    ["invalid_arguments", "<input type=color>", "red"],
    ["invalid_arguments", "<input type=range>", "much"],
    ["invalid_arguments", "<input type=checkbox>", "perhaps"],
    ["invalid_arguments", "<div role=slider tabindex=0 aria-valuenow=5>x</div>", "much"],
    [
      "invalid_arguments",
      "<div role=spinbutton tabindex=0 aria-valuenow=5 aria-valuemax=9>x</div>",
      "10",
    ],
    ["not_editable", "<div role=spinbutton tabindex=0>x</div>", "10"],
    ["disabled", "<div role=slider tabindex=0 aria-valuenow=5 aria-readonly=true>x</div>", "7"],
    ["invalid_arguments", "<input type=radio>", "false"],
  ])("is refused as `%s`: %s %s", async (code, markup, value) => {
    expect(await refusalOf(markup, value)).toBe(code);
  });

  it("takes one value, unless it is a list of several", async () => {
    expect(await refusalOf("<input>", "a", "b")).toBe("invalid_arguments");
    const several = "<select multiple><option>a</option><option>b</option></select>";
    expect(await refusalOf(several, "a", "b")).toBeUndefined();
  });
});

describe("a field that was filled", () => {
  it.each([
    ["<input>", "abc", "abc"],
    ["<textarea></textarea>", "a\r\nb", "a\nb"],
    ["<input type=number>", "5", "5.0"],
    ["<input type=tel>", "5551234", "(555) 12-34"],
  ])("holds its value: %s %s as %s", async (markup, value, held) => {
    expect(await takes(markup, value, held)).toEqual({ took: true });
  });

  it.each([
    ["<input>", "abcdef", "abc"],
    ["<input>", "1.5", "15"],
    ["<input>", "5", "-5"],
    ["<input>", "15", "1.5"],
    ["<input>", "abc", "ABC"],
  ])("holds something else, which is told: %s %s as %s", async (markup, value, held) => {
    expect(await takes(markup, value, held)).toEqual({ took: false, held });
  });

  it("tells nothing of a secret", async () => {
    expect(await takes("<input type=password>", "hunter2", "hu")).toEqual({ took: false });
  });
});

describe("filling in the page itself", () => {
  const filling = (node: number, ...values: string[]) =>
    fillField({ node, origin, values, files: false, choose: false, inputs: 0, waitedMs: 0 });

  it("tells the page as the browser would, once, and only of a change", async () => {
    const node = await numberOfControl(
      "<select><option>Green</option><option>Black</option></select>",
    );
    const events: string[] = [];
    for (const type of ["input", "change"]) {
      document.body.addEventListener(type, () => events.push(type), { once: true });
    }
    expect(await filling(node, "Black")).toEqual({ do: "nothing" });
    expect(document.querySelector("select")?.value).toBe("Black");
    await filling(node, "Black");
    expect(events).toEqual(["input", "change"]);
  });

  it("asks for a press only on a box that is not as wanted", async () => {
    const node = await numberOfControl("<input type=checkbox checked>");
    expect(await filling(node, "true")).toEqual({ do: "nothing" });
    expect(await filling(node, "false")).toMatchObject({ do: "press", x: expect.any(Number) });
  });
});

describe("a list behind a button", () => {
  const filling = (node: number, inputs: number) =>
    fillField({ node, origin, values: ["Blue"], files: false, choose: true, inputs, waitedMs: 0 });

  it("is pressed at the option although the keyboard is there already", async () => {
    const node = await numberOfControl(
      "<button aria-haspopup=listbox aria-controls=l>Colour</button><ul id=l role=listbox hidden><li role=option>Red</li><li role=option aria-selected=true>Blue</li></ul>",
    );
    const button = document.querySelector("button")?.getBoundingClientRect();
    expect(await filling(node, 0)).toMatchObject({
      do: "press",
      y: (button?.bottom ?? 0) / 2 + (button?.top ?? 0) / 2,
    });
    document.querySelector("ul")?.removeAttribute("hidden");
    const option = document.querySelectorAll("li")[1]?.getBoundingClientRect();
    const middle = (option?.top ?? 0) / 2 + (option?.bottom ?? 0) / 2;
    expect(await filling(node, 1)).toMatchObject({ do: "press", y: middle });
    expect(await filling(node, 2)).toEqual({ do: "nothing" });
  });
});

describe("a box whose label is pressed for it", () => {
  it("is not pressed at a link in the label", async () => {
    show(
      "<label for=b>I agree to <a href='#terms'>all of the terms and conditions</a> <span>here</span></label><input id=b type=checkbox style='display:none'>",
    );
    const label = document.querySelector("label");
    const node = label ? numberOf(label) : 0;
    const step = await fillField({
      node,
      origin,
      values: ["true"],
      files: false,
      choose: false,
      inputs: 0,
      waitedMs: 0,
    });
    const { left = 0, right = 0 } = document.querySelector("span")?.getBoundingClientRect() ?? {};
    expect(step).toMatchObject({ do: "press", x: (left + right) / 2 });
  });
});

describe("submitting", () => {
  it("presses the form's own button, whatever its fields are called", async () => {
    show(
      "<form><input name=elements><input name=querySelectorAll><input name=matches><button type=button>No</button><button>Send</button></form>",
    );
    const [node = 0] = await controlNumbers();
    const step = await submitForm({ node, origin, clear: false });
    const send = document.querySelectorAll("button")[1]?.getBoundingClientRect();
    expect(step).toMatchObject({ do: "press", x: (send?.left ?? 0) + (send?.width ?? 0) / 2 });
  });

  it("takes Enter where there is no button", async () => {
    const node = await numberOfControl("<form><input></form>");
    expect(await submitForm({ node, origin, clear: false })).toEqual({ do: "enter" });
    expect(document.activeElement?.localName).toBe("input");
  });
});
