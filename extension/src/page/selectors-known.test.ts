import { describe, expect, it } from "vitest";
import type { Known } from "../protocol/generated";
import { show } from "./page.fixture";
import { ask, showShadow } from "./query.fixture";
import { described } from "./selectors-known";
import { finished } from "./sliced";

/** The ids of those that can be seen. */
function found(known: Known): (string | undefined)[] {
  const { matches } = ask({ known }, { visibleOnly: true, attributes: ["id"] });
  return matches.map((match) => match.attributes?.id);
}

function told(css: string) {
  const element = document.querySelector(css);
  if (!element) throw new Error(`There is no ${css}.`);
  return finished(described(element));
}

const MONTHS =
  "<h2>March</h2><button id=m>Pay</button><h2>April</h2><button id=a>Pay</button><button id=b>Pay now</button>";

describe("what is known of an element", () => {
  it.each<[Known, string[]]>([
    [{ role: "button", name: "pay" }, ["m", "a"]],
    [{ role: "button", name: "Pay", heading: "April" }, ["a"]],
    [{ name: "Pay now" }, ["b"]],
    [{ text: "Pay  now" }, ["b"]],
    [{ role: "button", text: "Pay now" }, ["b"]],
    [{ role: "link", name: "Pay" }, []],
    [{ role: "button", name: "Pay", heading: "May" }, []],
    [{ selector: "#b" }, ["b"]],
    [{ heading: "April", selector: "button" }, ["a", "b"]],
  ])("finds it: %j finds %j", (known, ids) => {
    show(MONTHS);
    expect(found(known)).toEqual(ids);
  });

  it("has a selector that only tells alike ones apart", () => {
    show(MONTHS);
    expect(found({ role: "button", name: "Pay", selector: "#a" })).toEqual(["a"]);
    expect(found({ role: "button", name: "Pay now", selector: "#a" })).toEqual(["b"]);
    expect(found({ role: "button", name: "Pay", selector: "#gone" })).toEqual(["m", "a"]);
  });

  it("counts those only that can be seen", () => {
    show("<button id=x hidden>Pay</button><button id=y>Pay</button>");
    expect(found({ role: "button", name: "Pay", selector: "#x" })).toEqual(["y"]);
  });

  it("goes through shadow roots, and their headings", () => {
    showShadow("<h3>Inside</h3><button id=s>Pay</button>");
    expect(found({ role: "button", name: "Pay", heading: "Inside" })).toEqual(["s"]);
  });
});

describe("an element", () => {
  it("is described by what outlives ids and classes", () => {
    show(MONTHS);
    expect(told("#a")).toEqual({
      known: { role: "button", name: "Pay", heading: "April", selector: "#a" },
      alike: 2,
      isSecret: false,
    });
    expect(told("#b")).toMatchObject({ alike: 1 });
  });

  it("is described by its text where it has no name", () => {
    show("<p id=x>Green tea</p>");
    expect(told("#x").known).toMatchObject({ text: "Green tea" });
  });

  it("is never described by what is typed in it", () => {
    show(
      "<label>Pin code<input id=x type=password value=kanarie></label><div id=y contenteditable>kanarie</div>",
    );
    expect(told("#x")).toMatchObject({ known: { name: "Pin code" }, isSecret: true });
    expect(JSON.stringify([told("#x"), told("#y")])).not.toContain("kanarie");
  });

  it("is not described by words without end", () => {
    show(`<button id=x>${"word ".repeat(100)}</button>`);
    expect(told("#x").known).toEqual({ role: "button", selector: "#x" });
  });
});
