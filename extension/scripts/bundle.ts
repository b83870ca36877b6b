// Bundles a module of ours into one script, for pages that have no extension:
// tests and scripts put it there themselves. Run by plain Node as well as by
// vitest, so everything imported here is named with its ending.
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { build } from "vite";
import { findBrowser } from "./find-browser.ts";

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
}

/** What the module exports hangs on the global `name`. */
export async function bundled(module: URL, name: string): Promise<string> {
  const lib = { entry: fileURLToPath(module), formats: ["iife" as const], name };
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: false, lib },
  });
  const [bundle] = Array.isArray(built) ? built : [built];
  if (!bundle || !("output" in bundle)) throw new Error("Nothing was built.");
  return bundle.output[0].code;
}
