import { afterEach, expect, it } from "vitest";
import { readFacts, show, wordsOf } from "./page.fixture";
import { ask } from "./query.fixture";

const LINES = Array.from({ length: 60 }, (_, line) => `<p>Line ${line + 1}</p>`).join("");

function showScrolled(overflow: string): void {
  show(`<div id=box style="height:200px;overflow:${overflow}">${LINES}<button>Last</button></div>`);
  (document.querySelector("#box") as Element).scrollTop = 100_000;
}

async function words(): Promise<string> {
  return JSON.stringify((await readFacts()).nodes);
}

afterEach(() => show(""));

it("tells what a box was scrolled past, however far", async () => {
  showScrolled("auto");
  const first = (document.querySelector("p") as Element).getBoundingClientRect();
  expect(first.bottom, "it lies above the page").toBeLessThan(0);
  expect(await words()).toContain("Line 1");
});

it("finds it too", () => {
  showScrolled("hidden scroll");
  const { matches } = ask({ text: { text: "Line 1", exact: true } }, { visibleOnly: true });
  expect(matches).toHaveLength(1);
});

it("leaves out what nobody can scroll back to", async () => {
  showScrolled("hidden");
  expect(await words()).not.toContain('Line 1"');
  const { matches } = ask({ text: { text: "Line 1", exact: true } }, { visibleOnly: true });
  expect(matches).toHaveLength(0);
});

it("leaves out what lies further off than the box is scrolled", async () => {
  const markup = `<div id=box style="height:50px;overflow:auto"><div style="height:300px">Near</div>
    <p style="position:relative;left:-5000px">Far</p></div>`;
  await wordsOf(markup);
  (document.querySelector("#box") as Element).scrollTop = 250;
  expect(await words()).toContain("Near");
  expect(await words()).not.toContain("Far");
});
