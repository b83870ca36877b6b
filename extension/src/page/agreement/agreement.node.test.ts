// Names and roles of controls, as told, beside those that Chromium itself gives
// them: on pages that show the ARIA patterns, and on real ones where they are at
// hand (they lie beside the repository, never in it).
import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundled, launchBrowser } from "../../../scripts/bundle";
import { evaluateIn, worldApart } from "../real-browser.fixture";
import { compare, type Verdicts } from "./comparison";
import { type Spoken, spokenTree } from "./spoken-tree";
import type { ToldControl } from "./tagged-controls";

/** Pages that show every way to name something, and those that are operated from start to end. */
const PATTERNS = ["./pages/", "../../../../crates/hub/tests/aria/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
const REAL_PAGES = fileURLToPath(new URL("../../../../../shared/pages/", import.meta.url));
/** Of the controls on a set of pages. */
const LEAST_AGREEMENT = 0.98;
const SHOWN_DISAGREEMENTS = 20;

let browser: Browser;
let script: string;

beforeAll(async () => {
  script = await bundled(new URL("./tagged-controls.ts", import.meta.url), "agreement");
  browser = await launchBrowser();
}, 60_000);

afterAll(() => browser?.close());

describe("names of controls", () => {
  it("are Chromium's on pages that show the ARIA patterns", async () => {
    const compared: [string, Verdicts][] = [];
    for (const folder of PATTERNS) compared.push(...(await compareFolder(folder)));
    expectAgreement(new Map(compared));
  }, 60_000);

  const hasRealPages = pagesIn(REAL_PAGES).length > 0;
  if (!hasRealPages) console.warn(`Left out: there are no real pages in ${REAL_PAGES}.`);
  it.skipIf(!hasRealPages)(
    "are Chromium's on real pages",
    async () => {
      expectAgreement(await compareFolder(REAL_PAGES));
    },
    60_000,
  );

  it("count where one of both has none, and where the control is not told at all", async () => {
    const spoken = (element: number, more: Partial<Spoken>): Spoken => ({
      ...{ element, role: "button", name: "", isIgnored: false, isFocusable: true, tag: "button" },
      ...{ tabindex: undefined, told: undefined, toldAround: undefined, host: undefined, ...more },
    });
    const told = (number: number, more: Partial<ToldControl>): ToldControl => ({
      ...{ number, tag: "button", role: "button", name: "", content: "", options: [] },
      ...{ readable: [], ...more },
    });
    const verdicts = await compare(
      [
        told(1, {}),
        told(2, { name: "Only told" }),
        told(3, {}),
        told(4, { tag: "select", options: ["One"] }),
        told(5, { name: "Made up", readable: ["Made", "clickable"] }),
        told(6, { name: "Unspoken", readable: ["Unspoken"] }),
      ],
      [
        spoken(11, { told: 1 }),
        spoken(12, { told: 2 }),
        spoken(13, { told: 3, name: "Only spoken" }),
        spoken(14, { told: 4 }),
        spoken(15, { role: "option", tag: "option", toldAround: 4, name: "One" }),
        spoken(16, { role: "option", tag: "option", toldAround: 4, name: "Two" }),
        spoken(17, { name: "Hidden" }),
        spoken(18, { role: "generic", tag: "div", tabindex: -1 }),
        spoken(19, { role: "generic", tag: "div", told: 5 }),
        spoken(20, { isIgnored: true, told: 6 }),
      ],
      async ({ name }) => name !== "Hidden",
    );
    expect(verdicts).toEqual({
      agreed: 2,
      nameless: 2,
      disagreed: [
        '<button> button "Only told", to Chromium button ""',
        '<button> button "", to Chromium button "Only spoken"',
      ],
      untold: ['<option> option "Two"'],
      unspoken: 1,
      clickable: 1,
      unreadable: ['<button> button "Made up", of ["Made","clickable"]'],
    });
  });
});

/** What is no control to Chromium has no name to agree with, but is told by what a person reads. */
function expectAgreement(byPage: Map<string, Verdicts>): void {
  expect(agreement(byPage)).toBeGreaterThanOrEqual(LEAST_AGREEMENT);
  expect([...byPage.values()].flatMap(({ unreadable }) => unreadable)).toEqual([]);
}

function pagesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".html"));
  } catch {
    return [];
  }
}

/** By the name of the page. */
async function compareFolder(folder: string): Promise<Map<string, Verdicts>> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
  // Saved pages ask for much that isn't there.
  await page.route(/^https?:/, (route) => route.abort());
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  const verdicts = new Map<string, Verdicts>();
  for (const name of pagesIn(folder)) {
    await page.goto(pathToFileURL(folder + name).href, { waitUntil: "domcontentloaded" });
    verdicts.set(name, await comparePage(session));
  }
  await page.close();
  return verdicts;
}

async function comparePage(session: CDPSession): Promise<Verdicts> {
  const world = await worldApart(session);
  // Kept for the questions about single elements.
  const load = `${script}; globalThis.agreement = agreement; agreement.unhideControls()`;
  await evaluateIn(session, world, load);
  const tagged = await evaluateIn(session, world, "agreement.tagControls()");
  const told = tagged as ToldControl[];
  return compare(told, await spokenTree(session), (spoken) => isSeen(session, world, spoken));
}

async function isSeen(session: CDPSession, world: number, { element }: Spoken): Promise<boolean> {
  const { object } = await session.send("DOM.resolveNode", {
    backendNodeId: element,
    executionContextId: world,
  });
  const { result } = await session.send("Runtime.callFunctionOn", {
    ...(object.objectId ? { objectId: object.objectId } : {}),
    functionDeclaration: "function () { return agreement.hiddenBy(this); }",
    returnByValue: true,
  });
  return result.value === "";
}

/** The share of controls that are told with Chromium's name; one that is not told has none. */
function agreement(byPage: Map<string, Verdicts>): number {
  const pages = [...byPage];
  const linesOf = (kind: "disagreed" | "untold" | "unreadable") =>
    pages.flatMap(([page, verdicts]) => verdicts[kind].map((line) => `${page}: ${line}`));
  const sumOf = (kind: "agreed" | "nameless" | "unspoken" | "clickable") =>
    pages.reduce((sum, [, verdicts]) => sum + verdicts[kind], 0);
  const agreed = sumOf("agreed");
  const disagreed = linesOf("disagreed");
  const untold = linesOf("untold");
  const unreadable = linesOf("unreadable");
  const count = agreed + disagreed.length + untold.length;
  const share = agreed / count;
  console.info(
    [
      `${agreed} of ${count} controls have Chromium's name (${(share * 100).toFixed(1)} %), which for ${sumOf("nameless")} is none.`,
      `Named otherwise: ${disagreed.length}.`,
      ...disagreed.slice(0, SHOWN_DISAGREEMENTS),
      `Not told: ${untold.length}.`,
      ...untold.slice(0, SHOWN_DISAGREEMENTS),
      `Not counted: ${sumOf("unspoken")} that the page keeps from Chromium's tree, ${sumOf("clickable")} clickable parts without a role.`,
      `Of these, not told by what a person reads there or they say of themselves: ${unreadable.length}.`,
      ...unreadable.slice(0, SHOWN_DISAGREEMENTS),
    ].join("\n"),
  );
  return share;
}
