// Pages whose process died. The debugger tells when it happens; later Chrome
// only says of such a tab that nothing is loaded in it.
import { Refused } from "../protocol/refused";
import { interrupt } from "./interruptions";
import { pause } from "./pause";

const END_PATIENCE_MS = 2_000;

/** Tabs whose page is being ended on purpose, and who is told when it has. */
const ending = new Map<number, () => void>();

export function watchCrashes(): void {
  chrome.debugger.onEvent.addListener(({ tabId }, method) => {
    if (tabId === undefined || method !== "Inspector.targetCrashed") return;
    const tell = ending.get(tabId);
    if (tell) tell();
    else interrupt(tabId, crashed());
  });
}

/**
 * Ends a page that would not let go. Only its whole process can be ended from
 * outside; what else runs in there hangs as well. Until `forgetEnd`, the crash is
 * nobody's news.
 */
export async function endPage(tabId: number): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const over = new AbortController();
  ending.set(tabId, ended.resolve);
  const send = (method: string) => chrome.debugger.sendCommand({ tabId }, method);
  // So that the end is told.
  send("Inspector.enable").catch(() => {});
  // It is never answered: there is nobody left to. Refused, it ends nothing.
  send("Page.crash").catch(() => ended.resolve());
  await Promise.race([ended.promise, pause(END_PATIENCE_MS, over.signal)]);
  over.abort();
}

export function forgetEnd(tabId: number): void {
  ending.delete(tabId);
}

/** Refuses a tab that has no page in it. */
export function refuseEmptied({ status, discarded }: chrome.tabs.Tab): void {
  if (status !== "unloaded") return;
  if (!discarded) throw crashed();
  throw new Refused(
    "tab_crashed",
    "The browser put this tab to sleep to save memory. browser_reload wakes it.",
  );
}

function crashed(): Refused {
  return new Refused(
    "tab_crashed",
    "The page crashed: its process is gone, and what was typed there is lost. browser_reload loads it again.",
  );
}
