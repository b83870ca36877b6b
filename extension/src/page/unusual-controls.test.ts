import { describe, expect, it } from "vitest";
import { controlNumbers, controlsOf, elementsOf, nodesOf, show, wordsOf } from "./page.fixture";
import { prepare } from "./prepare";

const { origin } = location;

describe("a control", () => {
  it.each([
    ["<label><input type=checkbox> Other address</label>", 'checkbox "Other address"'],
    ["Shipping <a href='/edit'>Edit</a>", 'link "Edit"'],
    ["<button>Why?</button>", 'button "Why?"'],
  ])("in a legend has a handle: %s", async (legend, control) => {
    const markup = `<fieldset><legend>${legend}</legend><input aria-label=City></fieldset>`;
    expect(await controlsOf(markup)).toEqual([control, 'textbox "City"']);
  });

  it.each([
    [
      "<svg width=300 height=60 aria-label='Sales'><a href='/q1'><text y=20>Q1</text></a></svg>",
      'link "Q1"',
    ],
    [
      "<svg width=300 height=60><title>Map</title><g role=button tabindex=0 aria-label=Bavaria><rect width=50 height=50 /></g></svg>",
      'button "Bavaria"',
    ],
    ["<div role=img aria-label=stars><a href='/rate'>Rate it</a></div>", 'link "Rate it"'],
  ])("in a picture has a handle: %s", async (markup, control) => {
    expect(await controlsOf(markup)).toEqual([control]);
  });

  it("that is a drawing is called by what is written on it", async () => {
    const markup = "<svg role=button tabindex=0 width=90 height=30><text y=20>Buy</text></svg>";
    expect(await controlsOf(markup)).toEqual(['button "Buy"']);
  });

  it.each([
    "<button style='display:contents'>Go</button>",
    "<a href='/x' style='display:contents'><p>Go</p></a>",
    "<div style='display:contents'><span role=button style='display:contents'>Go</span></div>",
  ])("without a box has a handle, and can be pressed: %s", async (markup) => {
    expect(await controlsOf(markup)).toHaveLength(1);
    const [node = 0] = await controlNumbers();
    await expect(prepare({ node, origin, clear: false })).resolves.toBeTruthy();
  });

  it.each(["<div inert><button>Go</button></div>", "<button inert>Go</button>"])(
    "that is inert is disabled: %s",
    async (markup) => {
      const [button] = (await elementsOf(markup)).filter(([, , role]) => role === "button");
      expect(button?.[7]?.disabled).toBe(true);
    },
  );
});

describe("the words of a picture", () => {
  it.each([
    [
      "<svg width=300 height=60 aria-label='Sales'><text y=20>9 million</text></svg>",
      "Sales|9 million",
    ],
    ["<div role=img aria-label=stars>4.5 of 5</div>", "stars|4.5 of 5"],
  ])("are told behind its name: %s", async (markup, words) => {
    const told = (await nodesOf(markup)).map((node) => (node.length === 2 ? node[1] : node[3]));
    expect(told.filter(Boolean).join("|")).toBe(words);
  });

  it.each([
    "<svg width=90 height=30 aria-label='Acme shop'><text y=20>Acme</text></svg>",
    "<svg width=90 height=30><title>Acme</title><text y=20>Acme</text></svg>",
    "<div role=img aria-label='Four stars'>★★★★</div>",
  ])("are not told once more: %s", async (markup) => {
    expect((await nodesOf(markup)).filter((node) => node.length === 2)).toEqual([]);
  });
});

it("words that are cut off are said to be so, though a button follows them", async () => {
  const inner = "<div>first</div><p style='margin-top:99px'>far below</p><button>Go</button>";
  expect(await wordsOf(`<div style='height:30px;overflow:hidden'>${inner}</div>`)).toContain(
    "far below (cut off)",
  );
});

it("a frame that shows nothing but its border is left out", async () => {
  show("");
  const frames = await elementsOf("<iframe width=1 height=1></iframe>");
  expect(frames).toEqual([]);
});
