// The tab that the user is looking at, and the window that it is in: what the
// screen-awareness capabilities are about.
import type { Provenance } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { refuseUnreachable } from "./reachable";

/** Windows that ask, and the like, are nothing to look at. */
const HOLDING_TABS: { windowTypes: ["normal"] } = { windowTypes: ["normal"] };

export interface WatchedTab {
  id: number;
  windowId: number;
  url: string;
  title: string;
}

/** That tab, while it is in front of its window; without one, the one in the window in use. */
export async function watchedTab(tabId?: number): Promise<WatchedTab> {
  const tab = tabId === undefined ? await tabInUse() : await tabInFront(tabId);
  if (tab?.id === undefined) {
    throw new Refused("no_tab", "No browser window is open. Ask the user to open one.");
  }
  const url = tab.url ?? "";
  refuseUnreachable(url);
  return { id: tab.id, windowId: tab.windowId, url, title: tab.title ?? "" };
}

/** The one that the user was in last, of those that hold tabs. */
export async function windowInUse(): Promise<number | undefined> {
  const window = await chrome.windows.getLastFocused(HOLDING_TABS).catch(() => undefined);
  return window?.id;
}

export function watchWindowInUse(changed: (windowId: number) => void): void {
  chrome.windows.onFocusChanged.addListener((windowId) => {
    if (windowId !== chrome.windows.WINDOW_ID_NONE) changed(windowId);
  }, HOLDING_TABS);
}

/** The tab in front of the window that the user was in last. */
export async function tabInUse(): Promise<chrome.tabs.Tab | undefined> {
  const windowId = await windowInUse();
  const [tab] = await chrome.tabs.query({
    active: true,
    ...(windowId !== undefined && { windowId }),
  });
  return tab;
}

async function tabInFront(tabId: number): Promise<chrome.tabs.Tab> {
  const tab = await chrome.tabs.get(tabId).catch(() => undefined);
  if (tab?.active) return tab;
  throw new Refused("no_tab", "The user is looking at another tab by now. Call again.");
}

export function provenanceOf(tab: WatchedTab, dataType: string): Provenance {
  return {
    domain: URL.parse(tab.url)?.hostname ?? "",
    tabTitle: tab.title,
    tabId: tab.id,
    origin: URL.parse(tab.url)?.origin ?? "null",
    capturedAt: new Date().toISOString(),
    dataTypes: [dataType],
  };
}
