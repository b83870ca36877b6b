// Names and roles of controls, as told, beside those that Chromium itself gives
// them: on pages that show the ARIA patterns, and on real ones where they are at
// hand (they lie beside the repository, never in it).
import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, CDPSession } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundled, launchBrowser } from "../../../scripts/bundle";
import { evaluateApart } from "../real-browser.fixture";
import type { ToldControl } from "./tagged-controls";

const PATTERNS = fileURLToPath(new URL("./pages/", import.meta.url));
const REAL_PAGES = fileURLToPath(new URL("../../../../../shared/pages/", import.meta.url));
/** Of the controls on a set of pages. */
const LEAST_AGREEMENT = 0.98;
const SHOWN_DISAGREEMENTS = 20;

interface Compared {
  page: string;
  told: ToldControl;
  /** What Chromium says; undefined if the control is not in its tree. */
  spoken: { role: string; name: string } | undefined;
}

let browser: Browser;
let script: string;

beforeAll(async () => {
  script = await bundled(new URL("./tagged-controls.ts", import.meta.url), "agreement");
  browser = await launchBrowser();
}, 60_000);

afterAll(() => browser?.close());

describe("names of controls", () => {
  it("are Chromium's on pages that show the ARIA patterns", async () => {
    expect(agreement(await compareFolder(PATTERNS))).toBeGreaterThanOrEqual(LEAST_AGREEMENT);
  }, 60_000);

  const hasRealPages = pagesIn(REAL_PAGES).length > 0;
  if (!hasRealPages) console.warn(`Left out: there are no real pages in ${REAL_PAGES}.`);
  it.skipIf(!hasRealPages)(
    "are Chromium's on real pages",
    async () => {
      expect(agreement(await compareFolder(REAL_PAGES))).toBeGreaterThanOrEqual(LEAST_AGREEMENT);
    },
    60_000,
  );
});

function pagesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".html"));
  } catch {
    return [];
  }
}

async function compareFolder(folder: string): Promise<Compared[]> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
  // Saved pages ask for much that isn't there.
  await page.route(/^https?:/, (route) => route.abort());
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  const compared: Compared[] = [];
  for (const name of pagesIn(folder)) {
    await page.goto(pathToFileURL(folder + name).href, { waitUntil: "domcontentloaded" });
    compared.push(...(await compare(session, name)));
  }
  await page.close();
  return compared;
}

async function compare(session: CDPSession, name: string): Promise<Compared[]> {
  const tagged = await evaluateApart(session, `${script}; agreement.tagControls()`);
  const told = tagged as ToldControl[];
  const spoken = await accessibilityTree(session);
  return told.map((control) => ({
    page: name,
    told: control,
    spoken: spoken.get(String(control.number)),
  }));
}

/** By the number that an element is marked with. */
async function accessibilityTree(
  session: CDPSession,
): Promise<Map<string, { role: string; name: string }>> {
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const byElement = new Map(nodes.map((node) => [node.backendDOMNodeId, node]));
  const { nodes: elements } = await session.send("DOM.getFlattenedDocument", {
    depth: -1,
    pierce: true,
  });
  const spoken = new Map<string, { role: string; name: string }>();
  for (const { attributes = [], backendNodeId } of elements) {
    const at = attributes.indexOf("data-agreement");
    const node = byElement.get(backendNodeId);
    const number = attributes[at + 1];
    if (at < 0 || number === undefined || !node) continue;
    const isSpoken = !node.ignored;
    spoken.set(number, {
      role: isSpoken ? String(node.role?.value ?? "") : "",
      name: isSpoken ? String(node.name?.value ?? "") : "",
    });
  }
  return spoken;
}

/** Of the controls that Chromium has a name for: elsewhere there is nothing to agree with. */
function agreement(all: Compared[]): number {
  const absent = all.filter(({ spoken }) => spoken === undefined);
  const compared = all.filter(({ spoken }) => folded(spoken?.name ?? "") !== "");
  const nameless = all.length - absent.length - compared.length;
  const disagreed = compared.filter(({ told, spoken }) => !agrees(told.name, spoken?.name ?? ""));
  const others = all.filter(({ told, spoken }) => spoken?.role && told.role !== spoken.role);
  const kinds = new Set(
    others.map(({ told, spoken }) => `<${told.tag}> ${told.role}: ${spoken?.role}`),
  );
  const share = 1 - disagreed.length / compared.length;
  console.info(
    [
      `${compared.length - disagreed.length} of ${compared.length} names agree (${(share * 100).toFixed(1)} %).`,
      `Not counted: ${nameless} that Chromium has no name for, ${absent.length} that its tree lacks.`,
      `Roles that Chromium calls otherwise: ${[...kinds].join(", ")}.`,
      ...disagreed.slice(0, SHOWN_DISAGREEMENTS).map(line),
    ].join("\n"),
  );
  return share;
}

function line({ page, told, spoken }: Compared): string {
  return `${page}: <${told.tag}> ${told.role} "${told.name}", to Chromium ${spoken?.role} "${spoken?.name}"`;
}

function agrees(told: string, spoken: string): boolean {
  return folded(told) === folded(spoken);
}

/** Letters of icon fonts are no words. */
function folded(name: string): string {
  return name
    .replace(/[\uE000-\uF8FF]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
