// Records the facts of the pages in crates/snapshot/tests/golden, as the page
// script tells them in a real Chromium: `npm run record`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { bundled, launchBrowser } from "./bundle.ts";

const pages = new URL("../../crates/snapshot/tests/golden/", import.meta.url);

const module = new URL("../src/page/facts.ts", import.meta.url);
const script = await bundled(module, "recorded");
const browser = await launchBrowser();
for (const file of readdirSync(pages).filter((name) => name.endsWith(".html"))) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  await page.setContent(readFileSync(new URL(file, pages), "utf8"));
  await page.addScriptTag({ content: script });
  const told = await page.evaluate("recorded.facts(null)");
  const facts = JSON.parse(String(told)) as { nodes: unknown[] };
  const { nodes, ...rest } = facts;
  const lines = nodes.map((node) => `  ${JSON.stringify(node)}`).join(",\n");
  const written = `${JSON.stringify(rest).slice(0, -1)},"nodes":[\n${lines}\n]}\n`;
  writeFileSync(new URL(file.replace(".html", ".facts.json"), pages), written);
  await page.close();
}
await browser.close();
