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
  /** What Chromium says. */
  role: string;
  name: string;
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

  it.skipIf(pagesIn(REAL_PAGES).length === 0)(
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
  return told.flatMap((control) => {
    const known = spoken.get(String(control.number));
    return known ? [{ page: name, told: control, ...known }] : [];
  });
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

function agreement(compared: Compared[]): number {
  const disagreed = compared.filter(({ told, name }) => !agrees(told.name, name));
  const others = compared.filter(({ told, role }) => role !== "" && told.role !== role);
  const kinds = new Set(others.map(({ told, role }) => `<${told.tag}> ${told.role}: ${role}`));
  const share = 1 - disagreed.length / compared.length;
  console.info(
    [
      `${compared.length - disagreed.length} of ${compared.length} names agree (${(share * 100).toFixed(1)} %).`,
      `Roles that Chromium calls otherwise: ${[...kinds].join(", ")}.`,
      ...disagreed.slice(0, SHOWN_DISAGREEMENTS).map(line),
    ].join("\n"),
  );
  return share;
}

function line({ page, told, role, name }: Compared): string {
  return `${page}: <${told.tag}> ${told.role} "${told.name}", to Chromium ${role} "${name}"`;
}

/** Where Chromium has no name, what a person sees may stand in for it. */
function agrees(told: string, spoken: string): boolean {
  const wanted = folded(spoken);
  return wanted === "" || folded(told) === wanted;
}

/** Letters of icon fonts are no words. */
function folded(name: string): string {
  return name
    .replace(/[\uE000-\uF8FF]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
