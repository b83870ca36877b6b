import { describe, expect, it } from "vitest";
import { type ElementNode, Flag } from "../protocol/generated";
import { mediaState } from "./media";
import { controlsOf, elementsOf, readFacts, show } from "./page.fixture";

const PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
/** Eight samples of silence. */
const SILENCE =
  "data:audio/wav;base64,UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

/** The first element of a role, if there is one. */
async function found(role: string, markup: string): Promise<ElementNode | undefined> {
  return (await elementsOf(markup)).find((node) => node[2] === role);
}

describe("media", () => {
  it("are told with where they stand", async () => {
    const video = await found("video", "<video width=99 height=99 title=Film></video>");
    expect(video?.[3]).toBe("Film");
    expect(video?.[7]).toEqual({ value: "not loaded" });
    expect((video?.[4] ?? 0) & Flag.Control).toBe(0);
  });

  it("can be used if they have controls", async () => {
    expect(await controlsOf("<video controls aria-label=Film></video>")).toEqual(['video "Film"']);
    expect(await controlsOf("<audio controls></audio>")).toEqual(['audio ""']);
  });

  it("that play say how far they are", async () => {
    show(`<audio controls muted src="${SILENCE}"></audio>`);
    const audio = document.querySelector("audio");
    await new Promise((resolve) => audio?.addEventListener("loadedmetadata", resolve));
    const told = (await readFacts()).nodes.find((node) => node[2] === "audio") as ElementNode;
    expect(told[7]?.value).toBe("paused 0:00/0:00 muted");
  });

  it.each([
    [{ currentTime: 12.9, duration: 220, paused: true }, "paused 0:12/3:40"],
    [{ currentTime: 3_725, duration: 7_200, paused: false }, "playing 1:02:05/2:00:00"],
    [{ currentTime: 5, duration: Number.POSITIVE_INFINITY, paused: false }, "playing 0:05"],
    [{ currentTime: 9, duration: 9, paused: true, ended: true }, "ended 0:09/0:09"],
    [{ currentTime: 0, duration: 9, paused: true, volume: 0 }, "paused 0:00/0:09 muted"],
  ])("%j are told as %j", (state, told) => {
    const media = { readyState: 4, volume: 1, muted: false, ended: false, ...state };
    expect(mediaState(media as HTMLMediaElement)).toBe(told);
  });
});

describe("drawings", () => {
  it.each([
    ["<canvas aria-label=Chart></canvas>", 'img "Chart"'],
    ["<canvas>A chart of sales</canvas>", 'img "A chart of sales"'],
    ["<canvas width=200 height=200></canvas>", 'canvas ""'],
    ["<canvas width=20 height=20></canvas>", undefined],
    ["<svg width=9 height=9><title>Arrow</title></svg>", 'img "Arrow"'],
    ["<object type='application/pdf' title=Report width=50 height=50></object>", 'object "Report"'],
    ["<embed type='text/x-odd' width=50 height=50>", 'object "text/x-odd"'],
    ["<object><p>Instead</p></object>", 'paragraph ""'],
  ])("are told by name, or by their size: %s", async (markup, told) => {
    const drawing = (await elementsOf(markup)).find(([, , role]) => role !== "");
    expect(drawing && `${drawing[2]} "${drawing[3] ?? ""}"`).toBe(told);
  });

  it.each([
    ["<canvas tabindex=0 aria-label=Chart></canvas>", 'img "Chart"'],
    ["<canvas onclick='void 0'></canvas>", 'canvas ""'],
    ["<canvas style='cursor:pointer'></canvas>", 'canvas ""'],
    ["<svg style='cursor:pointer' width=9 height=9></svg>", 'generic ""'],
  ])("can be used if the page made them so: %s", async (markup, control) => {
    expect(await controlsOf(markup)).toEqual([control]);
  });

  it("have areas that lead somewhere", async () => {
    const areas = "<area href='/a' alt=North shape=rect coords='0,0,20,20'>";
    const image = `<img usemap='#m' src='${PIXEL}' width=40 height=40 alt=Map>`;
    expect(await controlsOf(`<map name=m>${areas}</map>${image}`)).toEqual(['link "North"']);
    expect(await controlsOf(`<map name=m>${areas}</map>`)).toEqual([]);
  });
});

describe("whatever was made clickable", () => {
  it.each([
    ["<p>A <span style='cursor:pointer'>word</span> in it</p>", 'generic "word"'],
    ["<i style='cursor:pointer;display:inline-block;width:9px;height:9px'></i>", 'generic ""'],
    ["<table><tr><td onclick='void 0'>Cell<td>other</table>", 'cell "Cell"'],
    ["<ul><li onclick='void 0'>Item</ul>", 'listitem "" showing "Item"'],
    ["<div role=status tabindex=0>Saved</div>", 'status "" showing "Saved"'],
    ["<div role=slider tabindex=0 title=Volume>loud</div>", 'slider "Volume"'],
    ["<table tabindex=0><caption>Prices</caption><tr><td>1</table>", 'table "Prices"'],
    ["<label style='cursor:pointer'>Alone</label>", 'generic "Alone"'],
    ["<div contenteditable>words</div>", 'textbox ""'],
    ["<p tabindex=0>Words</p>", 'paragraph "Words"'],
  ])("is a control: %s", async (markup, control) => {
    expect(await controlsOf(markup)).toEqual([control]);
  });

  it.each(["<i style='cursor:pointer'></i>", "<a href='/x'></a>"])(
    "is none where there is nothing to press: %s",
    async (markup) => {
      expect(await controlsOf(markup)).toEqual([]);
    },
  );
});

describe("a control that nothing names is called by the file of its picture", () => {
  const icon = "display:inline-block;width:12px;height:12px;cursor:pointer";
  it.each([
    [`<i style="${icon};content:url('/icons/delete.png?v=2')"></i>`, 'generic "delete"'],
    [
      "<style>#it::before{content:url(/icons/bin.svg)}</style><button id=it></button>",
      'button "bin"',
    ],
    [
      "<style>#it::after{content:'';background:url(/a/send.png)}</style><button><i id=it></i></button>",
      'button "send"',
    ],
    ["<style>#it::after{background:url(/a/send.png)}</style><button id=it></button>", 'button ""'],
    [`<i style="${icon};background-image:url(/left-arrow.svg)"></i>`, 'generic "left arrow"'],
    [`<img src="/a/send.png" width=9 height=9 style="cursor:pointer">`, 'img "send"'],
    ["<button><img src='/a/send.png' width=9 height=9></button>", 'button "send"'],
    ["<button><svg width=9 height=9><use href='/s.svg#bin'></use></svg></button>", 'button "bin"'],
    ["<button><img src='/a/send.png'> Go</button>", 'button "Go"'],
    [`<i style="${icon};background:url(/a/send.png)" title=Post></i>`, 'generic "Post"'],
    [`<i style="${icon};background:url(${PIXEL})"></i>`, 'generic ""'],
    [`<i style="${icon};background:url(/0af3b9c2d4.png)"></i>`, 'generic ""'],
    ["<button style='width:9px;height:9px'></button>", 'button ""'],
  ])("%s is %s", async (markup, control) => {
    expect(await controlsOf(markup)).toEqual([control]);
  });
});
