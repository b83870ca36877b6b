// Which tabs may be read or acted on at all. Our own pages are where the user
// gives consent, and the debugger would attach to them: no order ever reaches
// them, nor the browser's pages, nor the store's.
import { Refused } from "../protocol/refused";
import { refuseEmptied } from "./crashes";
import { onAnyNavigation } from "./navigation";

const SCHEMES = new Set(["http:", "https:", "about:", "file:", "data:", "blob:"]);

/** So long nobody asks again about a tab of which nothing was heard since. */
const KNOWN_MS = 1_000;

/** Tabs as they were when they were last found to be reachable. */
const found = new Map<number, { tab?: chrome.tabs.Tab; at: number }>();

/** Whatever may make a tab another one. */
export function watchReachability(): void {
  const forget = (tabId: number) => found.delete(tabId);
  onAnyNavigation(({ tabId }) => forget(tabId));
  chrome.tabs.onUpdated.addListener(forget);
  chrome.tabs.onRemoved.addListener(forget);
  chrome.tabs.onReplaced.addListener((_, replaced) => forget(replaced));
  // Which tab was in front before, and where it stood, no event says.
  chrome.tabs.onActivated.addListener(() => found.clear());
  chrome.tabs.onAttached.addListener(() => found.clear());
  chrome.debugger.onEvent.addListener(({ tabId }, method) => {
    if (tabId !== undefined && method === "Inspector.targetCrashed") forget(tabId);
  });
}

/** For each of the steps of a call: the browser is asked once for all of them. */
export async function refuseUnreachableTab(tabId: number): Promise<void> {
  if (recentTab(tabId)) return;
  const asked: { tab?: chrome.tabs.Tab; at: number } = { at: Date.now() };
  // What is heard of the tab until the answer comes takes it out again.
  found.set(tabId, asked);
  try {
    asked.tab = await reachableTab(tabId);
  } catch (error) {
    if (found.get(tabId) === asked) found.delete(tabId);
    throw error;
  }
}

/** The tab, if it was asked for just now and nothing was heard of it since. */
export function recentTab(tabId: number): chrome.tabs.Tab | undefined {
  const known = found.get(tabId);
  return known && Math.abs(Date.now() - known.at) < KNOWN_MS ? known.tab : undefined;
}

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
