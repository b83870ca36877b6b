import { describe, expect, it } from "vitest";
import { facts } from "./facts";
import { show } from "./page.fixture";
import { pageText } from "./page-text";
import { ask } from "./query.fixture";

const CARD = ["4111", "1111", "1111", "1111"];
/** No card number. */
const PARTS = ["1111", "1112", "1113", "1115"];

function boxes(values: readonly string[], more = ""): string {
  return values.map((value) => `<input maxlength=4 value=${value} ${more}>`).join(" ");
}

async function toldOf(markup: string): Promise<string> {
  show(markup);
  const { matches } = ask({ css: "input" }, { attributes: [] });
  return JSON.stringify([JSON.parse(await facts(null)).nodes, await pageText(), matches]);
}

describe("a card number in four boxes", () => {
  it.each([
    ["by its digits", `<p>${boxes(CARD)}</p>`],
    [
      "by its digits, each with an element of its own",
      `<p><b>${boxes(CARD).replaceAll("> <", "></b><b><")}</b></p>`,
    ],
    ["by its digits, beside a fifth box", `<p>${boxes(["2030", ...CARD])}</p>`],
    ["by the label of all", `<label>Card split ${boxes(PARTS)}</label>`],
    ["by the label of one", `<p>${boxes(PARTS, "aria-label='Card, part'")}</p>`],
    ["by a legend", `<fieldset><legend>Your card</legend>${boxes(PARTS)}</fieldset>`],
    ["by the name of a group", `<div role=group aria-label='Card no.'>${boxes(PARTS)}</div>`],
    ["by their names", `<p>${boxes(PARTS, "name=card_part")}</p>`],
  ])("is known %s", async (_, markup) => {
    expect(await toldOf(markup)).not.toMatch(/4111|111[1-5]/);
  });

  it.each([
    ["fewer boxes", `<p>${boxes(PARTS.slice(1), "name=card_part")}</p>`],
    ["boxes of something else", `<p>${boxes(PARTS, "name=year")}</p>`],
    [
      "boxes with other fields between them",
      `<p name=card>${boxes(PARTS).replaceAll("> <", "><input><")}</p>`,
    ],
    ["boxes beside a field of a card", `<p>${boxes(PARTS)}<select name=card></select></p>`],
  ])("is not what %s hold", async (_, markup) => {
    expect(await toldOf(markup)).toContain("1115");
  });
});

it("a code in six boxes of one letter is known by them", async () => {
  const six = [..."907253"].map((digit) => `<input maxlength=1 value=${digit}>`);
  expect(await toldOf(`<label>Code ${six.join("")}</label>`)).not.toMatch(/"[907253]"/);
});
