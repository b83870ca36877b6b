// Tells the hub what happens to tabs, and which window the user is in. Listeners are registered while the worker
// starts, or Chrome would not wake it for them; they wait for what a worker before
// this one knew. What happens without a link is dropped: the next handshake brings
// every tab anyway.
import type { BrowserEvent, TabFacts } from "../protocol/generated";
import { dropRefFloor, moveRefFloor } from "./ref-floors";
import { isOrdinary, tabFacts, tabFactsLoaded } from "./tab-facts";
import { watchWindowInUse } from "./watched-tab";

type Send = (event: BrowserEvent) => void;

/** What was last said of a tab: Chrome also reports what the hub doesn't care about. */
const told = new Map<number, string>();

/** Gives a function that has another look at a tab, for what Chrome reports too early. */
export function forwardTabEvents(send: Send): (tabId: number) => Promise<void> {
  chrome.tabs.onCreated.addListener(async (tab) => {
    if (!isOrdinary(tab)) return;
    await tabFactsLoaded();
    send({ event: "tab.created", payload: remember(tab) });
  });
  chrome.tabs.onUpdated.addListener(async (tabId, _change, tab) => {
    if (!isOrdinary(tab)) return;
    await tabFactsLoaded();
    tellIfChanged(tabId, tab);
  });
  chrome.tabs.onActivated.addListener(async ({ tabId }) => {
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (tab) send({ event: "tab.activated", payload: remember(tab) });
  });
  chrome.tabs.onRemoved.addListener(async (tabId) => {
    await tabFactsLoaded();
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
  watchWindowInUse((windowId) => send({ event: "window.focused", payload: { windowId } }));
  const tellIfChanged = (tabId: number, tab: chrome.tabs.Tab) => {
    if (told.get(tabId) === essence(tabFacts(tab))) return;
    send({ event: "tab.updated", payload: remember(tab) });
  };
  return async (tabId) => {
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (tab) tellIfChanged(tabId, tab);
  };
}

function remember(tab: chrome.tabs.Tab): TabFacts {
  const facts = tabFacts(tab);
  told.set(facts.id, essence(facts));
  return facts;
}

function essence({ url, title, loading, session }: TabFacts): string {
  return JSON.stringify([url, title, loading, session]);
}
