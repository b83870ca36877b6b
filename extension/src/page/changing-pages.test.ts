import { afterEach, describe, expect, it } from "vitest";
import type { PageFacts } from "../protocol/generated";
import { isText } from "./lines";
import { readFacts, show } from "./page.fixture";

/** Large enough for a walk of several slices. */
const LARGE = "<p>Some <b>words</b></p>".repeat(15_000);

let channel: MessageChannel | undefined;

afterEach(() => {
  channel?.port1.close();
  channel = undefined;
  show("");
});

/** Calls back as often as the page gets a turn. */
function everyTurn(turn: () => void): void {
  channel = new MessageChannel();
  const { port1, port2 } = channel;
  port1.onmessage = () => {
    turn();
    port2.postMessage(0);
  };
  port2.postMessage(0);
}

function hasText({ nodes }: PageFacts, text: string): boolean {
  return nodes.some((node) => isText(node) && node[1].includes(text));
}

describe("a page that changes while it is walked", () => {
  it("is told as it is after the change", async () => {
    show(`<h1>Before</h1>${LARGE}`);
    let turns = 0;
    everyTurn(() => {
      turns += 1;
      if (turns === 2) document.querySelector("h1")?.replaceChildren("After");
    });
    const facts = await readFacts();
    expect(hasText(facts, "After")).toBe(true);
    expect(hasText(facts, "Before")).toBe(false);
    expect(facts.changing).toBeUndefined();
  });

  it("is walked anew when it changes in a shadow root", async () => {
    show(`<div></div>${LARGE}`);
    const root = document.querySelector("div")?.attachShadow({ mode: "open" });
    if (root) root.innerHTML = "<h1>Before</h1>";
    let turns = 0;
    everyTurn(() => {
      turns += 1;
      if (turns === 2) root?.querySelector("h1")?.replaceChildren("After");
    });
    expect(hasText(await readFacts(), "After")).toBe(true);
  });

  it("is walked anew when it scrolls", async () => {
    show(`<h1>x</h1>${LARGE}`);
    everyTurn(() => document.querySelector("h1")?.dispatchEvent(new Event("scroll")));
    expect((await readFacts()).changing).toBe(true);
  });

  it("without end is told all the same, and says so", async () => {
    show(`<h1>0</h1>${LARGE}<h2>The end</h2>`);
    let turns = 0;
    everyTurn(() => {
      turns += 1;
      document.querySelector("h1")?.replaceChildren(String(turns));
    });
    const facts = await readFacts();
    expect(facts.changing).toBe(true);
    expect(hasText(facts, "The end")).toBe(true);
  });

  it("and loses what was being walked is told to its end", async () => {
    show(`<h1>0</h1>${LARGE}<h2>The end</h2>`);
    everyTurn(() => {
      for (const [index, part] of document.querySelectorAll("p").entries()) {
        if (index % 7 === 0) part.remove();
        if (index > 2_000) break;
      }
    });
    expect(hasText(await readFacts(), "The end")).toBe(true);
  });
});
