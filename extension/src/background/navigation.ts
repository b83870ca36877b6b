// Navigations of main frames: a permanent watch with a short memory, and waits
// built on it.
import type { NavigationWait } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import {
  type NavigationEvent,
  type NavigationEventKind,
  NavigationProgress,
} from "./navigation-progress";
import { pause } from "./pause";

const REMEMBERED_MS = 10_000;
const REMEMBERED_EVENTS = 60;
const NEW_TAB_PATIENCE_MS = 1_000;

type Listener = (event: NavigationEvent) => void;

const memory = new Map<number, NavigationEvent[]>();
/** The address of each tab's document. */
const places = new Map<number, string>();
const openings: { openerTabId: number; tabId: number; at: number }[] = [];
const listeners = new Set<Listener>();

export function watchNavigations(): void {
  const { webNavigation } = chrome;
  const on =
    (kind: NavigationEventKind) =>
    ({
      tabId,
      frameId,
      url,
      error,
    }: {
      tabId: number;
      frameId: number;
      url: string;
      error?: string;
    }) => {
      if (frameId !== 0) return;
      note({ tabId, kind, url, at: Date.now(), ...(error !== undefined && { error }) });
    };
  webNavigation.onBeforeNavigate.addListener(on("began"));
  webNavigation.onCommitted.addListener(on("committed"));
  webNavigation.onDOMContentLoaded.addListener(on("domReady"));
  webNavigation.onCompleted.addListener(on("loaded"));
  webNavigation.onErrorOccurred.addListener(on("failed"));
  webNavigation.onReferenceFragmentUpdated.addListener(on("sameDocument"));
  webNavigation.onHistoryStateUpdated.addListener(on("sameDocument"));
  webNavigation.onCreatedNavigationTarget.addListener(({ sourceTabId, tabId }) => {
    openings.push({ openerTabId: sourceTabId, tabId, at: Date.now() });
  });
  chrome.tabs.onCreated.addListener(({ id, openerTabId }) => {
    if (id === undefined || openerTabId === undefined) return;
    openings.push({ openerTabId, tabId: id, at: Date.now() });
    openings.splice(0, openings.length - REMEMBERED_EVENTS);
  });
  chrome.tabs.onRemoved.addListener((tabId) => {
    memory.delete(tabId);
    places.delete(tabId);
  });
}

/** What happened in a tab from a moment on. */
export function navigationsSince(tabId: number, since: number): NavigationEvent[] {
  return (memory.get(tabId) ?? []).filter(({ at }) => at >= since);
}

/** Tabs that a tab opened from a moment on. */
export function openedSince(openerTabId: number, since: number): number[] {
  const opened = openings.filter((one) => one.openerTabId === openerTabId && one.at >= since);
  return [...new Set(opened.map(({ tabId }) => tabId))];
}

/** Calls back with every event of a tab until stopped. */
export function onNavigation(tabId: number, callback: Listener): () => void {
  const listener: Listener = (event) => {
    if (event.tabId === tabId) callback(event);
  };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back with every event of any tab. */
export function onAnyNavigation(callback: Listener): void {
  listeners.add(callback);
}

/** Waits until a new, empty tab is there. It takes a few milliseconds. */
export async function untilLoaded(tabId: number, signal: AbortSignal): Promise<void> {
  const arrived = new AbortController();
  const stop = onNavigation(tabId, ({ kind }) => kind === "loaded" && arrived.abort());
  if (!(memory.get(tabId) ?? []).some(({ kind }) => kind === "loaded")) {
    await pause(NEW_TAB_PATIENCE_MS, AbortSignal.any([signal, arrived.signal]));
  }
  stop();
}

/** `finished`: whether what was waited for came about; false when time ran out on a page that had arrived. */
export type Arrival = { finished: boolean } | { failed: string };

/** Said by whoever should begin a navigation that had begun before. */
export const UNDER_WAY = Symbol("under way");

const NO_ANSWER =
  "The server did not answer in time, and the tab still shows the page before. Try again, or allow more time.";
// Chrome asks its user before it sends a form again, in a window that is out of our reach.
const HELD_BACK =
  "The browser did not begin to load the page, and the tab still shows the one before. What came as the answer to a form is loaded again only once the user agrees, since that sends the form again. Don't repeat this: ask the user to reload that tab, or go on without.";

/** Starts a navigation and waits for it. */
export async function navigateAndWait(
  tabId: number,
  wait: NavigationWait,
  begin: () => Promise<unknown>,
  limits: { signal: AbortSignal; deadline: number },
): Promise<Arrival> {
  const progress = new NavigationProgress(wait, true);
  let news = new AbortController();
  const stop = onNavigation(tabId, (event) => {
    progress.feed(event);
    news.abort();
  });
  const gone = (closed: number) => closed === tabId && news.abort();
  chrome.tabs.onRemoved.addListener(gone);
  try {
    if ((await begin()) === UNDER_WAY) {
      progress.feed({ tabId, kind: "began", url: "", at: Date.now() });
    }
    for (;;) {
      limits.signal.throwIfAborted();
      const standing = progress.standing(Date.now());
      if (standing.is === "done") return { finished: standing.isComplete };
      if (standing.is === "failed") return { failed: standing.error };
      if (Date.now() >= limits.deadline) {
        if (progress.hasCommitted) return { finished: false };
        throw new Refused("timeout", progress.hasBegun ? NO_ANSWER : HELD_BACK);
      }
      const until = Math.min(standing.until ?? limits.deadline, limits.deadline);
      await pause(until - Date.now(), AbortSignal.any([limits.signal, news.signal]));
      news = new AbortController();
      await chrome.tabs.get(tabId);
    }
  } finally {
    stop();
    chrome.tabs.onRemoved.removeListener(gone);
  }
}

function note(said: NavigationEvent): void {
  const from = places.get(said.tabId);
  const event = { ...said, ...(from !== undefined && { from }) };
  if (event.kind === "committed" || event.kind === "sameDocument") {
    places.set(event.tabId, event.url);
  }
  const events = memory.get(event.tabId) ?? [];
  const kept = events.filter(({ at }) => at >= event.at - REMEMBERED_MS);
  memory.set(event.tabId, [...kept, event].slice(-REMEMBERED_EVENTS));
  // A copy: a wait that this event ends may begin another before the loop is over.
  for (const listener of [...listeners]) listener(event);
}
