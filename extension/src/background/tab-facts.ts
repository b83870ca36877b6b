// A tab as the hub is told of it. Without the `tabs` permission Chrome leaves
// address and title out; they are then empty.
import type { TabFacts } from "../protocol/generated";
import { refFloor, refFloorsLoaded } from "./ref-floors";

export function tabFacts(tab: chrome.tabs.Tab): TabFacts {
  const facts: TabFacts = {
    id: tab.id ?? chrome.tabs.TAB_ID_NONE,
    windowId: tab.windowId,
    url: tab.url || tab.pendingUrl || "",
    title: tab.title ?? "",
    active: tab.active,
    loading: tab.status === "loading",
    incognito: tab.incognito,
    refFloor: refFloor(tab.id ?? chrome.tabs.TAB_ID_NONE),
  };
  return tab.openerTabId === undefined ? facts : { ...facts, openerTabId: tab.openerTabId };
}

export async function allTabFacts(): Promise<TabFacts[]> {
  const [tabs] = await Promise.all([chrome.tabs.query({}), refFloorsLoaded()]);
  return tabs.filter(isOrdinary).map(tabFacts);
}

/** Developer tools and the like have tabs without a number. */
export function isOrdinary(tab: chrome.tabs.Tab): boolean {
  return tab.id !== undefined && tab.id !== chrome.tabs.TAB_ID_NONE;
}
