// A tab as the hub is told of it. Without the `tabs` permission Chrome leaves
// address and title out; they are then empty.
import type { TabFacts } from "../protocol/generated";
import { refFloor, refFloorsLoaded } from "./ref-floors";
import { sessionOfTab, tabGroupsLoaded } from "./tab-groups";

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
  const session = sessionOfTab(tab);
  return {
    ...facts,
    ...(tab.openerTabId !== undefined && { openerTabId: tab.openerTabId }),
    ...(session !== undefined && { session }),
  };
}

export async function allTabFacts(): Promise<TabFacts[]> {
  const [tabs] = await Promise.all([chrome.tabs.query({}), tabFactsLoaded()]);
  return tabs.filter(isOrdinary).map(tabFacts);
}

/** What a worker before this one knew of tabs is known again once this resolves. */
export async function tabFactsLoaded(): Promise<void> {
  await Promise.all([refFloorsLoaded(), tabGroupsLoaded()]);
}

/** Developer tools and the like have tabs without a number. */
export function isOrdinary(tab: chrome.tabs.Tab): boolean {
  return tab.id !== undefined && tab.id !== chrome.tabs.TAB_ID_NONE;
}
