import { expect, it } from "vitest";
import { elementsOf } from "./page.fixture";

async function optionsOf(markup: string): Promise<string[]> {
  const options = (await elementsOf(markup)).filter(([, tag]) => tag === "option");
  return options.map(([, , , name, , , , state]) => `${name}${state?.disabled ? " off" : ""}`);
}

it("an option can't be chosen where it or its group is disabled, and keeps its name", async () => {
  const markup = `<select><optgroup label=G1><option>one<option selected>two<option disabled>half</optgroup>
    <optgroup label=G2 disabled><option>three</optgroup><option>four</select>`;
  expect(await optionsOf(markup)).toEqual(["one", "two", "half off", "three off", "four"]);
});
