// The tab that the user is looking at: what the screen-awareness capabilities
// are about.
import type { Provenance } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { refuseUnreachable } from "./reachable";

export interface WatchedTab {
  id: number;
  windowId: number;
  url: string;
  title: string;
}

export async function watchedTab(): Promise<WatchedTab> {
  const window = await chrome.windows.getLastFocused({ windowTypes: ["normal"] });
  const [tab] = await chrome.tabs.query({
    active: true,
    ...(window.id && { windowId: window.id }),
  });
  if (tab?.id === undefined) {
    throw new Refused("no_tab", "No browser window is open. Ask the user to open one.");
  }
  const url = tab.url ?? "";
  refuseUnreachable(url);
  return { id: tab.id, windowId: tab.windowId, url, title: tab.title ?? "" };
}

export function provenanceOf(tab: WatchedTab, dataType: string): Provenance {
  return {
    domain: URL.parse(tab.url)?.hostname ?? "",
    tabTitle: tab.title,
    tabId: tab.id,
    capturedAt: new Date().toISOString(),
    dataTypes: [dataType],
  };
}
