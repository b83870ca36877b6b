import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aftermath } from "./aftermath";
import { readPage } from "./facts";
import { focusForText } from "./focus";
import { numberOf } from "./numbers";
import { readFacts, show } from "./page.fixture";
import { Slices } from "./slices";
import { isFieldAlone, surroundingsOf } from "./spared";

const FORM = `<style>#mail:focus ~ .hint, #mail:not(:placeholder-shown) ~ .hint { display: block }
  .hint { display: none }</style>
  <p id=words>Words</p><input id=name aria-label=Name><input id=mail placeholder=" " aria-label=Mail>
  <p class=hint>Never shown to others</p><input type=checkbox id=box><select id=tea><option>Black<option>Green</select>
  <textarea id=story></textarea>
  <select id=more multiple><option selected>Sugar<option id=milk>Milk</select>`;

const find = <Found extends HTMLElement>(id: string) => document.getElementById(id) as Found;

const told = async () => (await readFacts()).walk;

/** As typing does, with what the page makes of it. */
async function typing(id: string, react: () => void, walk = told()): Promise<boolean> {
  const field = find<HTMLInputElement>(id);
  const before = surroundingsOf(field, await walk);
  field.focus();
  field.value += "typed";
  react();
  await Promise.resolve();
  return before !== undefined && isFieldAlone(before);
}

describe("whether typing changed nothing but its field", () => {
  beforeEach(() => show(FORM));
  afterEach(() => show(""));

  it("is so where the page takes no notice", async () => {
    expect(await typing("name", () => {})).toBe(true);
    expect(await typing("story", () => {})).toBe(true);
  });

  it("is so again and again, compared with the same walk", async () => {
    const walk = told();
    await walk;
    expect(await typing("name", () => {}, walk)).toBe(true);
    expect(await typing("story", () => {}, walk)).toBe(true);
  });

  it("is not said where the page changed since that walk told it", async () => {
    const walk = told();
    await walk;
    find("words").append("late");
    expect(await typing("name", () => {}, walk)).toBe(false);
    expect(await typing("name", () => {}, Promise.resolve(undefined))).toBe(false);
    const earlier = told();
    await earlier;
    await told();
    expect(await typing("name", () => {}, earlier)).toBe(true);
    find("words").append("later");
    await told();
    expect(await typing("name", () => {}, earlier)).toBe(false);
  });

  it("is not said of a page that was read, but not told", async () => {
    const { text } = await readPage(null, new Slices());
    expect(JSON.parse(text)).not.toHaveProperty("walk");
    expect(await readFacts({ includeHidden: true })).not.toHaveProperty("walk");
  });

  const reactions: [string, () => void][] = [
    ["the page changed", () => find("words").append("more")],
    ["an attribute changed", () => find("name").setAttribute("aria-invalid", "true")],
    ["another field got a value", () => (find<HTMLInputElement>("mail").value = "a@b")],
    ["a box was checked", () => (find<HTMLInputElement>("box").checked = true)],
    ["something was chosen", () => (find<HTMLSelectElement>("tea").selectedIndex = 1)],
    ["more was chosen", () => (find<HTMLOptionElement>("milk").selected = true)],
    ["the focus went on", () => find("story").focus()],
    ["the field went", () => find("name").remove()],
  ];
  it.each(reactions)("is not so where %s", async (_, react) => {
    expect(await typing("name", react)).toBe(false);
  });

  it("is not so where a style sheet shows words or a control for it", async () => {
    expect(await typing("mail", () => {})).toBe(false);
    const style = "#clear { opacity: 0 } #it:not(:placeholder-shown) ~ #clear { opacity: 1 }";
    show(`<style>${style}</style><input id=it placeholder=" "><button id=clear aria-label=Clear>`);
    expect(await typing("it", () => {})).toBe(false);
  });

  it("is not so where the address is another now", async () => {
    const { hash } = location;
    expect(await typing("name", () => history.replaceState(null, "", "#elsewhere"))).toBe(false);
    history.replaceState(null, "", hash || location.pathname + location.search);
  });

  it("is not said where parts of the page can't be watched", async () => {
    find("words").attachShadow({ mode: "open" }).innerHTML = "<p>In the shadow</p>";
    expect(await typing("name", () => {})).toBe(false);
    show(`${FORM}<iframe srcdoc="Inside"></iframe>`);
    expect(await typing("name", () => {})).toBe(false);
  });

  it("spares the look at all of the page", async () => {
    const walk = await told();
    const args = { node: numberOf(find("name")), origin: location.origin, clear: false };
    await focusForText({ ...args, ...(walk !== undefined && { walk }) });
    find<HTMLInputElement>("name").value = "Ada";
    const { field, facts: all } = await aftermath();
    expect(all).toBeUndefined();
    const [node] = JSON.parse(field ?? "[]");
    expect(node.slice(2, 4)).toEqual(["textbox", "Name"]);
    expect(node[7]).toMatchObject({ value: "Ada", focused: true });
    await focusForText(args);
    expect(await aftermath()).toHaveProperty("facts");
  });
});
