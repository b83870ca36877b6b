// Finds the browser that tests and scripts use: OUTRIGGER_BROWSER, or the first
// of the usual names on PATH.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

export function findBrowser(): string {
  const chosen = process.env.OUTRIGGER_BROWSER;
  if (chosen) return chosen;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of NAMES) {
      const path = join(folder, name);
      if (isExecutable(path)) return path;
    }
  }
  throw new Error("No Chromium found. Install one, or name it in OUTRIGGER_BROWSER.");
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
