import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundled, launchBrowser } from "../../scripts/bundle";
import type { PageFacts } from "../protocol/generated";
import { evaluateApart } from "./real-browser.fixture";

let browser: Browser;
let page: Page;
let session: CDPSession;
let script: string;

beforeAll(async () => {
  script = await bundled(new URL("./facts.ts", import.meta.url), "page");
  browser = await launchBrowser();
  page = await browser.newPage();
  session = await page.context().newCDPSession(page);
}, 60_000);

afterAll(() => browser?.close());

async function factsOf(mime: string, source: string): Promise<PageFacts> {
  await page.goto(`data:${mime};base64,${Buffer.from(source).toString("base64")}`);
  const told = await evaluateApart(session, `${script}; page.facts(null)`);
  return JSON.parse(told as string);
}

function words({ nodes }: PageFacts): string[] {
  return nodes.flatMap((node) => {
    const said = node.length === 2 ? node[1].trim() : node[3];
    return said ? [said] : [];
  });
}

const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';
const SVG = 'xmlns="http://www.w3.org/2000/svg"';

it.each([
  [
    "a drawing",
    "image/svg+xml",
    `<svg ${SVG} width="200" height="100"><a href="#x"><text y="20">Link</text></a><text y="60">Words</text></svg>`,
    ["Link", "Words"],
  ],
  [
    "an XML document",
    "application/xhtml+xml",
    `<html ${XHTML}><body><p>One</p><p>Two</p></body></html>`,
    ["One", "Two"],
  ],
  ["a text", "text/plain", "Just words", ["Just words"]],
  ["an empty page", "text/html", "", []],
  [
    "a page whose script throws the basics away",
    "text/html",
    "<script>Array.prototype.push = JSON.stringify = Map.prototype.get = null</script><p>Words</p>",
    ["Words"],
  ],
  [
    "a page made of frames",
    "text/html",
    "<frameset cols='50%,50%'><frame title=Left src='about:blank'><frame title=Right></frameset>",
    ["Left", "Right"],
  ],
])("%s is read like any page", async (_, mime, source, told) => {
  const facts = await factsOf(mime, source);
  expect(words(facts)).toEqual(told);
  expect(facts.path).toEqual([]);
});

it("five million letters in one piece are read without holding the page up", async () => {
  await page.goto("about:blank");
  await page.evaluate(() => document.body.append("five ".repeat(1_000_000)));
  const told = (await evaluateApart(
    session,
    `${script}; (async () => {
      const startedAt = performance.now();
      const facts = await page.facts(null);
      return { ms: performance.now() - startedAt, omitted: JSON.parse(facts).omittedLetters };
    })()`,
  )) as { ms: number; omitted: number };
  expect(told.omitted).toBe(1_000_000);
  expect(told.ms).toBeLessThan(10_000);
}, 30_000);
