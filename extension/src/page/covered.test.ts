import { beforeEach, describe, expect, it } from "vitest";
import { Flag } from "../protocol/generated";
import { elementsOf } from "./page.fixture";

beforeEach(() => scrollTo(0, 0));

/** Names of the controls that are covered. */
async function coveredOf(markup: string): Promise<string[]> {
  const elements = await elementsOf(markup);
  return elements
    .filter(([, , , , flags = 0]) => flags & Flag.Covered)
    .map(([, , , name]) => name ?? "");
}

describe("a control is covered", () => {
  it("by what lies over its middle", async () => {
    const cover = "<div style='position:fixed;inset:0 0 auto 0;height:40px;background:#fff'></div>";
    const far = "<button style='position:absolute;top:300px'>Far</button>";
    expect(await coveredOf(`<button>Near</button>${far}${cover}`)).toEqual(["Near"]);
  });

  it.each([
    "<button><b style='display:block'>inner</b></button>",
    "<button style='pointer-events:none'>lets through</button>",
    "<label>Agree <input type=checkbox></label>",
    "<p style='width:90px'>some words <a href='#x'>and a link that wraps</a></p>",
    "<button>x</button><div style='position:fixed;inset:0;pointer-events:none'></div>",
    "<div style='height:60px;overflow:auto'><p style='height:100px'></p><button>scrolled out</button></div><p>below</p>",
    "<div style='margin-top:5000px'><button>out of view</button></div>",
  ])("but not here: %s", async (markup) => {
    expect(await coveredOf(markup)).toEqual([]);
  });

  it("also far behind many others, of which a sample is looked at", async () => {
    const buttons = Array.from({ length: 60 }, (_, index) => `<button>b${index}</button>`).join("");
    const grid = `<div style='display:grid;grid-template-columns:repeat(10,6ch)'>${buttons}</div>`;
    const cover =
      "<div style='position:absolute;inset:auto 0 0 0;height:30%;background:#fff'></div>";
    const covered = await coveredOf(
      `<div style='position:relative;width:60ch'>${grid}${cover}</div>`,
    );
    // Each row is ten: the last one lies under the cover as a whole.
    expect(covered).toContain("b50");
    expect(covered.every((name) => Number(name.slice(1)) >= 40)).toBe(true);
  });

  it("also where every other thing that looks like one is none", async () => {
    const link = "<div style='cursor:pointer;width:60px;float:left'><a href='#x'>link</a></div>";
    const cover = "<div style='position:fixed;inset:0;background:#fff'></div>";
    expect((await coveredOf(`${link.repeat(24)}${cover}`)).length).toBeGreaterThanOrEqual(12);
  });
});
