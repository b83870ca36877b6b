import { describe, expect, it } from "vitest";
import { numberOfControl, readFacts } from "./page.fixture";
import { prepare } from "./prepare";
import { isSameLabel } from "./told-names";

const { origin } = location;

function first(selector: string): Element {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`Nothing matches ${selector}.`);
  return element;
}

describe("a label that was told", () => {
  it.each([
    ["textContent", () => (first("button").textContent = "Delete all")],
    ["an attribute", () => first("button").setAttribute("aria-label", "Delete all")],
    ["what is shown of it", () => first("button").classList.add("other")],
  ])("is refused once, with the new one, after it changed by %s", async (_, change) => {
    const style = "<style>.other .a, button:not(.other) .b { display: none }</style>";
    const node = await numberOfControl(
      `${style}<button><span class=a>Save</span><span class=b>Delete all</span></button>`,
    );
    await prepare({ node, origin, clear: false });
    change();
    const refused = { code: "changed", details: { by: "Delete all" } };
    await expect(prepare({ node, origin, clear: false })).rejects.toMatchObject(refused);
    await prepare({ node, origin, clear: false });
  });

  it("stays the one that was told when a later look is told only in part", async () => {
    const node = await numberOfControl("<button>Keep</button>");
    first("button").textContent = "Delete all";
    document.body.insertAdjacentHTML("beforeend", "<a href=/>Later</a>");
    const { nodes } = await readFacts({ includeHidden: false, inPart: true });
    const refused = { code: "changed", details: { by: "Delete all" } };
    await expect(prepare({ node, origin, clear: false })).rejects.toMatchObject(refused);
    const later = nodes.find((one) => one[1] === "a")?.[5] ?? 0;
    first("a").textContent = "Never";
    await expect(prepare({ node: later, origin, clear: false })).rejects.toMatchObject({
      code: "changed",
    });
  });

  it("stays the one before the looks of which not all was told", async () => {
    const node = await numberOfControl("<button>Keep</button>");
    for (const name of ["Delete all", "Delete it all"]) {
      first("button").textContent = name;
      await readFacts();
    }
    const args = { node, origin, clear: false, untold: [node] };
    const refused = { code: "changed", details: { by: "Delete it all" } };
    await expect(prepare(args)).rejects.toMatchObject(refused);
    await prepare(args);
  });

  it("is the new one once that was told, whatever else is not told", async () => {
    const node = await numberOfControl("<button>Keep</button><a href=/>Go to April</a>");
    const link = (await readFacts()).nodes.find((one) => one[1] === "a")?.[5] ?? 0;
    first("button").textContent = "Delete all";
    for (const month of ["May", "June"]) {
      first("a").textContent = `Go to ${month}`;
      await readFacts();
      await prepare({ node: link, origin, clear: false, untold: [node] });
    }
    const refused = { code: "changed", details: { by: "Delete all" } };
    const args = { node, origin, clear: false, untold: [node] };
    await expect(prepare(args)).rejects.toMatchObject(refused);
    await prepare(args);
  });

  it("is the one that a search told, and no later one", async () => {
    const node = await numberOfControl("<button>Follow</button>");
    first("button").textContent = "Following";
    const args = { node, origin, clear: false, toldName: "Following" };
    await prepare(args);
    first("button").textContent = "Block";
    await expect(prepare(args)).rejects.toMatchObject({ code: "changed" });
  });

  it("is refused after it changed where it is no name, but what is shown", async () => {
    const node = await numberOfControl("<ul><li tabindex=0>Save</li></ul>");
    first("li").textContent = "Delete all";
    const refused = { code: "changed", details: { by: "Delete all" } };
    await expect(prepare({ node, origin, clear: false })).rejects.toMatchObject(refused);
  });

  it("is the same one for who was told what is hidden too", async () => {
    const menu = "<ul style='display:none'><li>Inner</ul>";
    const node = await numberOfControl(`<div style="cursor:pointer">Outer${menu}</div>`);
    await readFacts({ includeHidden: true });
    await expect(prepare({ node, origin, clear: false })).resolves.toBeTruthy();
  });

  it.each([
    ["Resend in 29 s", "Resend in 28 s", true],
    ["Like (9)", "Like (10)", true],
    ["Cart 1,999", "Cart 12:30", true],
    ["Pay 10 €", "Pay 1000 €", false],
    ["Save", "Delete", false],
    ["Save 1", "Delete 1", false],
  ])("%s and %s: %s", (one, other, isSame) => {
    expect(isSameLabel(one, other)).toBe(isSame);
  });
});
