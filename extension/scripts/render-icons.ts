// Renders assets/icon.svg to the sizes that Chrome asks for: `npm run icons`.
import { readFile } from "node:fs/promises";
import { launchBrowser } from "./bundle.ts";

const SIZES = [16, 32, 48, 128];

const svg = await readFile(new URL("../assets/icon.svg", import.meta.url), "utf8");
const browser = await launchBrowser();
const page = await browser.newPage();
for (const size of SIZES) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px}</style>${svg}`);
  const path = new URL(`../public/icon/${size}.png`, import.meta.url).pathname;
  await page.screenshot({ path, omitBackground: true });
}
await browser.close();
