// The tab that the user looks at, as Chrome knows it: where the tracker looks, and
// what makes it look again.
import type { BrowserEvent, PageContext } from "../../protocol/generated";
import { callPage } from "../page-calls";
import { isOrdinary } from "../tab-facts";
import { mayFollow, readTracking } from "./tracked-sites";
import type { FrontTab, Outlook } from "./tracker";

/** Chrome forgets a call into a page that takes for ever. */
const CHANGE_LIMIT_MS = 25_000;
const LONGEST_ICON = 2_000;

export function chromeOutlook(send: (event: BrowserEvent) => void): Outlook {
  return {
    front,
    read,
    majorChange: async (tabId) => {
      try {
        const isMajor = await ask(tabId, "majorChange", { limitMs: CHANGE_LIMIT_MS });
        return isMajor ? "changed" : "quiet";
      } catch {
        return "gone";
      }
    },
    send: (payload) => send({ event: "page.context", payload }),
  };
}

/** Calls back whenever the user may be looking at something else. */
export function watchFront(noticed: () => void): void {
  chrome.tabs.onActivated.addListener(noticed);
  chrome.tabs.onReplaced.addListener(noticed);
  chrome.tabs.onUpdated.addListener((_tabId, { status, url, title }, { active }) => {
    const isOver = status === "complete";
    if (active && (isOver || url !== undefined || title !== undefined)) noticed();
  });
  chrome.windows?.onFocusChanged.addListener((windowId) => {
    // Another program's window is in front: the user still has the same tab open.
    if (windowId !== chrome.windows.WINDOW_ID_NONE) noticed();
  });
}

async function front(): Promise<FrontTab | undefined> {
  const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  if (tab?.id === undefined || !isOrdinary(tab)) return undefined;
  if (!mayFollow(tab, await readTracking())) return undefined;
  const { id: tabId, windowId, url = "", title = "", favIconUrl = "" } = tab;
  const favicon = favIconUrl.length > LONGEST_ICON ? "" : favIconUrl;
  return { tabId, windowId, url, title, favicon };
}

/** Between the look at the tab and the one into it, another page may have come. */
async function read(tabId: number): Promise<PageContext> {
  const context = (await ask(tabId, "pageContext", null)) as PageContext;
  const { incognito } = await chrome.tabs.get(tabId);
  if (mayFollow({ url: context.url, incognito }, await readTracking())) return context;
  throw new Error("This page may not be followed.");
}

async function ask(tabId: number, functionName: string, argument: unknown): Promise<unknown> {
  const [main] = await callPage(tabId, functionName, argument, "main");
  if (!main || main.refusal) throw new Error(main?.refusal?.error ?? "no frame answered");
  return main.value;
}
