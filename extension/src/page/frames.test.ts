import { describe, expect, it } from "vitest";
import type { ElementNode } from "../protocol/generated";
import { elementsOf, readFacts, show } from "./page.fixture";

async function framesOf(markup: string): Promise<ElementNode[]> {
  return (await elementsOf(markup)).filter(([, , role]) => role === "iframe");
}

describe("a frame", () => {
  it("says where it is among the frames of its parent", async () => {
    const { path } = await readFacts();
    expect(path).toHaveLength(1);
    expect(parent.frames[path?.[0] ?? -1] === window).toBe(true);
  });

  it("is told with its index in the page, even without a name", async () => {
    const frames = await framesOf("<iframe></iframe><p>x</p><iframe srcdoc='y'></iframe>");
    expect(frames.map((frame) => frame[7]?.frame)).toEqual([0, 1]);
  });

  it("is told by the box of its content", async () => {
    const style =
      "position:absolute;left:10px;top:20px;width:100px;height:50px;border:3px solid;padding:4px 6px";
    const [frame] = await framesOf(`<iframe style='${style}'></iframe>`);
    expect(frame?.[6]).toEqual([19, 27, 100, 50]);
  });

  it.each([
    "<a href='/x'>Ad <iframe></iframe></a>",
    "<div onclick='void 0'>Ad <iframe></iframe></div>",
    "<button><iframe title=Ad></iframe></button>",
    "<iframe role=presentation></iframe>",
    "<div style='cursor:pointer'><iframe tabindex=0></iframe></div>",
  ])("is told wherever it is: %s", async (markup) => {
    expect(await framesOf(markup)).toHaveLength(1);
  });

  it("in a shadow root is told without an index", async () => {
    show("<div></div>");
    const root = document.querySelector("div")?.attachShadow({ mode: "open" });
    if (root) root.innerHTML = "<iframe title=Inside></iframe>";
    const frame = (await readFacts()).nodes.find((node) => node[2] === "iframe") as ElementNode;
    expect(frame[3]).toBe("Inside");
    expect(frame[7]?.frame).toBeUndefined();
  });

  it("that nobody can see is left out", async () => {
    expect(await framesOf("<iframe width=1 height=1 style='border:0'></iframe>")).toEqual([]);
    expect(await framesOf("<iframe style='display:none'></iframe>")).toEqual([]);
  });
});
