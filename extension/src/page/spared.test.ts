import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aftermath } from "./aftermath";
import { facts } from "./facts";
import { show } from "./page.fixture";
import { fieldAlone, noteSurroundings } from "./spared";
import { watchDom } from "./watch";

const FORM = `<style>#mail:focus ~ .hint, #mail:not(:placeholder-shown) ~ .hint { display: block }
  .hint { display: none }</style>
  <p id=words>Words</p><input id=name aria-label=Name><input id=mail placeholder=" " aria-label=Mail>
  <p class=hint>Never shown to others</p><input type=checkbox id=box><select id=tea><option>Black<option>Green</select>
  <textarea id=story></textarea>`;

const find = <Found extends HTMLElement>(id: string) => document.getElementById(id) as Found;

/** As typing does, with what the page makes of it. */
async function typing(id: string, react: () => void): Promise<Element | undefined> {
  const field = find<HTMLInputElement>(id);
  noteSurroundings(field);
  field.focus();
  field.value += "typed";
  react();
  await Promise.resolve();
  return fieldAlone();
}

describe("whether typing changed nothing but its field", () => {
  beforeEach(async () => {
    show(FORM);
    await facts(null);
    watchDom();
  });
  afterEach(() => show(""));

  it("is so where the page takes no notice", async () => {
    expect(await typing("name", () => {})).toBe(find("name"));
    expect(await typing("story", () => {})).toBe(find("story"));
  });

  it("is told once", async () => {
    await typing("name", () => {});
    expect(fieldAlone()).toBeUndefined();
  });

  const reactions: [string, () => void][] = [
    ["the page changed", () => find("words").append("more")],
    ["an attribute changed", () => find("name").setAttribute("aria-invalid", "true")],
    ["another field got a value", () => (find<HTMLInputElement>("mail").value = "a@b")],
    ["a box was checked", () => (find<HTMLInputElement>("box").checked = true)],
    ["something was chosen", () => (find<HTMLSelectElement>("tea").selectedIndex = 1)],
    ["the focus went on", () => find("story").focus()],
    ["the field went", () => find("name").remove()],
  ];
  it.each(reactions)("is not so where %s", async (_, react) => {
    expect(await typing("name", react)).toBeUndefined();
  });

  it("is not so where a style sheet shows words for it", async () => {
    expect(await typing("mail", () => {})).toBeUndefined();
  });

  it("is not said where parts of the page can't be watched", async () => {
    find("words").attachShadow({ mode: "open" }).innerHTML = "<p>In the shadow</p>";
    await facts(null);
    expect(await typing("name", () => {})).toBeUndefined();
    show(`${FORM}<iframe srcdoc="Inside"></iframe>`);
    await facts(null);
    expect(await typing("name", () => {})).toBeUndefined();
  });

  it("spares the look at all of the page", async () => {
    noteSurroundings(find("name"));
    find("name").focus();
    find<HTMLInputElement>("name").value = "Ada";
    const { field, facts: all } = await aftermath({ sparing: true });
    expect(all).toBeUndefined();
    const [node] = JSON.parse(field ?? "[]");
    expect(node.slice(2, 4)).toEqual(["textbox", "Name"]);
    expect(node[7]).toMatchObject({ value: "Ada", focused: true });
    expect(await aftermath({ sparing: true })).toHaveProperty("facts");
  });
});
