// Pages that answer nothing: a script that never ends, a dialog that was open before
// the debugger came, which Chrome then neither tells of nor lets us answer, or the
// browser's print window, which can be seen from outside and so is known sooner.
import { Refused } from "../protocol/refused";
import { pause } from "./pause";

/** Nobody asks whether a page still answers before this. */
const PATIENCE_MS = 3_000;
/** No answer to the smallest question for this long. */
const SILENCE_MS = 5_000;
/** One that was silent before gets this long to show that it no longer is. */
const SECOND_CHANCE_MS = 500;
/** How often it is looked for a print window while a page is waited for. */
const PRINT_LOOK_MS = 500;
const PRINT_WINDOW = "chrome://print/";

/** Tabs whose page was silent when last asked. */
const silent = new Set<number>();

/** Work that needs a page's answer, for as long as the page answers anything. */
export async function unlessSilent<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const refused = Promise.withResolvers<never>();
  void untilSilent(tabId, done.signal).then((isSilent) => isSilent && refused.reject(noAnswer()));
  void untilPrinting(tabId, done.signal).then(
    (isPrinting) => isPrinting && refused.reject(underPrintWindow()),
  );
  try {
    return await Promise.race([work(), refused.promise]);
  } finally {
    done.abort();
  }
}

/** False once nobody cares any longer. */
export async function untilSilent(tabId: number, stop: AbortSignal): Promise<boolean> {
  for (;;) {
    await pause(PATIENCE_MS, stop);
    const hasAnswered = stop.aborted || (await answersWithin(tabId, SILENCE_MS, stop));
    if (stop.aborted) return false;
    if (!hasAnswered) {
      silent.add(tabId);
      return true;
    }
  }
}

/** Until a page is silent under a print window; false once nobody cares any longer. */
async function untilPrinting(tabId: number, stop: AbortSignal): Promise<boolean> {
  for (;;) {
    await pause(PRINT_LOOK_MS, stop);
    if (stop.aborted) return false;
    // The window may be of another tab: whose it is, nobody says.
    const isOpen = await isPrintWindowOpen();
    if (!isOpen || (await answersWithin(tabId, SECOND_CHANCE_MS, stop))) continue;
    if (stop.aborted) return false;
    silent.add(tabId);
    return true;
  }
}

async function isPrintWindowOpen(): Promise<boolean> {
  const targets = await chrome.debugger.getTargets();
  return targets.some(({ url }) => url.startsWith(PRINT_WINDOW));
}

/** Whether a page that was silent before still is. */
export async function isStillSilent(tabId: number): Promise<boolean> {
  if (!silent.delete(tabId)) return false;
  return !(await answersWithin(tabId, SECOND_CHANCE_MS, new AbortController().signal));
}

async function answersWithin(tabId: number, ms: number, stop: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  // A refusal is an answer too.
  const answer = chrome.scripting
    .executeScript({ target: { tabId }, injectImmediately: true, func: () => 0 })
    .then(
      () => true,
      () => true,
    );
  const late = pause(ms, AbortSignal.any([stop, over.signal])).then(() => false);
  try {
    return await Promise.race([answer, late]);
  } finally {
    over.abort();
  }
}

function underPrintWindow(): Refused {
  return new Refused(
    "unresponsive",
    "The browser's print window is open, and the page under it answers nothing until it is closed. What was begun may or may not have taken effect. Ask the user to print or to cancel, or leave with browser_reload or browser_navigate, which closes it; browser_pdf saves a page without that window.",
  );
}

export function noAnswer(): Refused {
  return new Refused(
    "unresponsive",
    "The page has answered nothing for some seconds: it shows a dialog that was there before, or a script keeps it busy. What was begun may or may not have taken effect. Ask the user to answer the dialog in that tab, wait and look again, leave with browser_navigate or browser_reload, or close the tab.",
  );
}
