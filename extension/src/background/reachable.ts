// Which tabs may be read or acted on at all. Our own pages are where the user
// gives consent, and the debugger would attach to them: no order ever reaches
// them, nor the browser's pages, nor the store's.
import { Refused } from "../protocol/refused";
import { refuseEmptied } from "./crashes";

const SCHEMES = new Set(["http:", "https:", "about:", "file:", "data:", "blob:"]);

export async function reachableTab(tabId: number): Promise<chrome.tabs.Tab> {
  const tab = await chrome.tabs.get(tabId);
  refuseUnreachable(tab.url || tab.pendingUrl || "");
  refuseEmptied(tab);
  return tab;
}

export function refuseUnreachable(address: string): void {
  if (address !== "" && !isReachable(address)) {
    throw new Refused(
      "unsupported_page",
      "Pages of the browser, its extensions and its store can't be read or changed. Use another tab, or navigate this one to a web page.",
    );
  }
}

export function isReachable(address: string): boolean {
  const url = URL.parse(address);
  if (!url || !SCHEMES.has(url.protocol)) return false;
  // A blob's own host is empty; what made it is in its origin.
  if (url.protocol === "blob:") return /^https?:/.test(url.origin);
  return !isStore(url);
}

function isStore({ hostname, pathname }: URL): boolean {
  const host = hostname.replace(/\.$/, "");
  return (
    host === "chromewebstore.google.com" ||
    (host === "chrome.google.com" && pathname.startsWith("/webstore")) ||
    (host === "microsoftedge.microsoft.com" && pathname.startsWith("/addons"))
  );
}
