// The tab that the user looks at, as Chrome knows it: where the tracker looks, and
// what makes it look again.
import type { BrowserEvent, PageContext, Untold } from "../../protocol/generated";
import { callPage } from "../page-calls";
import { isOrdinary } from "../tab-facts";
import { tabInUse, watchWindowInUse } from "../watched-tab";
import { mayFollow, readTracking } from "./tracked-sites";
import type { FrontTab, Outlook, Tracker } from "./tracker";

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
export function watchFront(tracker: Pick<Tracker, "noticed" | "noticedLittle">): void {
  const noticed = () => tracker.noticed();
  chrome.tabs.onActivated.addListener(noticed);
  chrome.tabs.onReplaced.addListener(noticed);
  chrome.tabs.onUpdated.addListener((_tabId, { status, url, title }, { active }) => {
    if (!active) return;
    if (status === "complete" || url !== undefined) noticed();
    else if (title !== undefined) tracker.noticedLittle();
  });
  watchWindowInUse(noticed);
}

async function front(): Promise<FrontTab | Untold> {
  const [tab, choice] = await Promise.all([tabInUse(), readTracking()]);
  if (!choice.isOn) return "off";
  if (tab?.id === undefined || !isOrdinary(tab) || !mayFollow(tab, choice)) return "left_out";
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
