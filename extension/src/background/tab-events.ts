// Tells the hub what happens to tabs. Listeners are registered while the worker
// starts, or Chrome would not wake it for them. What happens without a link is
// dropped: the next handshake brings every tab anyway.
import type { BrowserEvent, TabFacts } from "../protocol/generated";
import { dropRefFloor, moveRefFloor } from "./ref-floors";
import { isOrdinary, tabFacts } from "./tab-facts";

type Send = (event: BrowserEvent) => void;

/** What was last said of a tab: Chrome also reports what the hub doesn't care about. */
const told = new Map<number, string>();

export function forwardTabEvents(send: Send): void {
  chrome.tabs.onCreated.addListener((tab) => {
    if (!isOrdinary(tab)) return;
    send({ event: "tab.created", payload: remember(tab) });
  });
  chrome.tabs.onUpdated.addListener((tabId, _change, tab) => {
    if (!isOrdinary(tab) || told.get(tabId) === essence(tabFacts(tab))) return;
    send({ event: "tab.updated", payload: remember(tab) });
  });
  chrome.tabs.onActivated.addListener(async ({ tabId }) => {
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (tab) send({ event: "tab.activated", payload: remember(tab) });
  });
  chrome.tabs.onRemoved.addListener((tabId) => {
    told.delete(tabId);
    dropRefFloor(tabId);
    send({ event: "tab.removed", payload: { tabId } });
  });
  chrome.tabs.onReplaced.addListener(async (tabId, oldTabId) => {
    told.delete(oldTabId);
    moveRefFloor(oldTabId, tabId);
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (tab) send({ event: "tab.replaced", payload: { oldTabId, tab: remember(tab) } });
  });
}

function remember(tab: chrome.tabs.Tab): TabFacts {
  const facts = tabFacts(tab);
  told.set(facts.id, essence(facts));
  return facts;
}

function essence({ url, title, loading }: TabFacts): string {
  return JSON.stringify([url, title, loading]);
}
