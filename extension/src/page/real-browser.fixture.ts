// For tests in Node that need a document of their own, or what only the debugger
// protocol tells: a browser, and a script of ours in a world of its own there.
import { fileURLToPath } from "node:url";
import { type Browser, type CDPSession, chromium } from "playwright-core";
import { build } from "vite";
import { findBrowser } from "../../scripts/find-browser";

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox"] });
}

/** One script of a module; what it exports hangs on the global `name`. */
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

/** Apart from the page's own scripts, as in the extension. */
export async function evaluateApart(session: CDPSession, expression: string): Promise<unknown> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
  return result.value;
}
