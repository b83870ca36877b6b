// `tabs`: open, close, select, navigate, reload, and go through a tab's history.
import type {
  Navigated,
  NavigationWait,
  SessionGroup,
  TabFacts,
  TabsParams,
} from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { isRejectedNavigation } from "../chrome-errors";
import { downloadsSince } from "../downloads";
import { failureOf } from "../failures";
import { isHeadless } from "../headless";
import { goInHistory } from "../history";
import { leavePage } from "../leaving";
import { navigateAndWait, UNDER_WAY, untilLoaded } from "../navigation";
import { pause } from "../pause";
import { waitForQuiet } from "../quiet";
import { refuseUnreachable } from "../reachable";
import { responseOf } from "../response";
import { openSessionWindow } from "../session-window";
import { tabFacts } from "../tab-facts";
import { putIntoGroup, sessionOfTab, windowOfSession } from "../tab-groups";
import { wakeUp } from "../waking";
import { expectWork } from "../warm-up";
import { type CallContext, defineCapability } from "./capability";

/** Answer this long before the deadline, so that the answer is in time. */
const MARGIN_MS = 100;
const BLANK = "about:blank";
const CLOSE_PATIENCE_MS = 2_000;
const REJECTED_PAUSE_MS = 50;
const QUIET_MS = 100;
const QUIET_LIMIT_MS = 2_000;

export const tabs = defineCapability<TabsParams>({
  name: "tabs",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: ["tabMetadata"],
  run(params, context): Promise<unknown> {
    switch (params.action) {
      case "open":
        return open(params.group, context);
      case "close":
        return close(params.tabId, context);
      case "select":
        return chrome.tabs.update(params.tabId, { active: true }).then(() => ({}));
      case "navigate": {
        const { tabId, url, wait } = params;
        refuseUnreachable(url);
        return travel(tabId, wait, () => goTo(tabId, url, context), context);
      }
      case "reload": {
        const { tabId, wait, hard } = params;
        return travel(tabId, wait, () => chrome.tabs.reload(tabId, { bypassCache: hard }), context);
      }
      case "history":
        return travel(
          params.tabId,
          params.wait,
          () => goInHistory(params.tabId, params.delta),
          context,
        );
      default:
        throw new Refused("invalid_arguments", "`tabs` knows no such action.");
    }
  },
});

/**
 * In the background: an agent's tab must not take the user's attention. Only where
 * nobody looks it comes in front of an empty page: so it is drawn without ado.
 */
async function open(group: SessionGroup | undefined, context: CallContext): Promise<TabFacts> {
  const tab = await create(group);
  if (tab.id === undefined) return tabFacts(tab);
  if (group) await putIntoGroup(tab, group);
  // Otherwise its arrival would be taken for that of the page it is sent to next.
  await untilLoaded(tab.id, context.signal);
  return tabFacts(await chrome.tabs.get(tab.id));
}

/** Where the session's other tabs are, or in a new window if it wants one of its own. */
async function create(group: SessionGroup | undefined): Promise<chrome.tabs.Tab> {
  const windowId = group && (await windowOfSession(group.session));
  if (windowId === undefined && group?.ownWindow) {
    const tab = await openSessionWindow(BLANK);
    if (tab) return tab;
  }
  const where = windowId !== undefined && { windowId };
  const active = isHeadless() && (await isFrontEmpty(windowId));
  return chrome.tabs.create({ url: BLANK, active, ...where });
}

async function isFrontEmpty(windowId: number | undefined): Promise<boolean> {
  const where = windowId !== undefined ? { windowId } : { lastFocusedWindow: true };
  const [front] = await chrome.tabs.query({ active: true, ...where });
  return front?.url === BLANK && !front.pendingUrl && sessionOfTab(front) === undefined;
}

async function close(tabId: number, { signal }: CallContext): Promise<object> {
  const gone = new AbortController();
  const notice = (removed: number) => removed === tabId && gone.abort();
  chrome.tabs.onRemoved.addListener(notice);
  try {
    await leavePage(tabId, async () => {
      await chrome.tabs.remove(tabId);
      // It may ask first, and is not removed until answered.
      await pause(CLOSE_PATIENCE_MS, AbortSignal.any([signal, gone.signal]));
    });
  } finally {
    chrome.tabs.onRemoved.removeListener(notice);
  }
  return {};
}

/**
 * Chrome rejects a navigation to where the tab is on its way already, as it is
 * after a call that ran out of time: then that one is waited for.
 */
async function goTo(tabId: number, url: string, { signal, deadline }: CallContext) {
  for (;;) {
    try {
      return await chrome.tabs.update(tabId, { url });
    } catch (error) {
      if (!isRejectedNavigation(error)) throw error;
      const { pendingUrl } = await chrome.tabs.get(tabId);
      if (pendingUrl === url) return UNDER_WAY;
      // It has just ended.
      if (Date.now() + REJECTED_PAUSE_MS > deadline - MARGIN_MS) throw error;
      await pause(REJECTED_PAUSE_MS, signal);
      signal.throwIfAborted();
    }
  }
}

async function travel(
  tabId: number,
  wait: NavigationWait,
  begin: () => Promise<unknown>,
  context: CallContext,
): Promise<Navigated> {
  const arrival = () => arrive(tabId, wait, begin, context);
  const { result, dialogs } = await leavePage(tabId, arrival);
  return dialogs > 0 ? { ...result, dialogs } : result;
}

async function arrive(
  tabId: number,
  wait: NavigationWait,
  begin: () => Promise<unknown>,
  { signal, deadline }: CallContext,
): Promise<Navigated> {
  const limit = deadline - MARGIN_MS;
  const startedAt = Date.now();
  expectWork(tabId);
  const arrival = await navigateAndWait(tabId, wait, begin, { signal, deadline: limit });
  if ("failed" in arrival) return downloaded(tabId, startedAt, arrival.failed);
  let { finished } = arrival;
  if (finished && wait === "quiet") {
    await wakeUp(tabId);
    const { isQuiet } = await waitForQuiet(tabId, {
      since: Date.now(),
      beginMs: QUIET_MS,
      quietMs: QUIET_MS,
      until: Math.min(Date.now() + QUIET_LIMIT_MS, limit),
      signal,
    });
    finished = isQuiet;
  }
  const [tab, response] = await Promise.all([chrome.tabs.get(tabId), responseOf(tabId)]);
  return { tab: tabFacts(tab), finished, ...response };
}

/** What led to no page may have led to a file. */
async function downloaded(tabId: number, since: number, net: string): Promise<Navigated> {
  const [download] = await downloadsSince(tabId, since);
  if (!download) throw failureOf(net);
  return { tab: tabFacts(await chrome.tabs.get(tabId)), finished: true, download };
}
