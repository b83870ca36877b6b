// Chrome reports failures as English sentences. This is the one place that
// reads them and says what they mean in our codes.
import { BUILD } from "../build";
import { Refused } from "../protocol/refused";

/** `lite` may read the tab on which the user clicked, and no other. */
const NOT_GRANTED =
  BUILD === "lite"
    ? /activeTab|'<all_urls>'|must request permission|^Cannot access contents of/i
    : /activeTab.*permission|'<all_urls>'/i;

/** Chrome began no navigation, and says no more than that. */
const REJECTED = /^Navigation rejected/i;

const MEANINGS: [RegExp, () => Refused][] = [
  [
    /^No tab with id|^No tab with given id|^Tab \d+ was closed|^The tab was closed|Invalid tab ID/i,
    () => new Refused("no_tab", "The tab is gone. List the tabs to see which are there."),
  ],
  [
    /No document with id|^Frame with ID \d+ was removed|^The frame was removed|document was removed/i,
    () =>
      new Refused("stale_ref", "The page that this ref belongs to is gone: take a new snapshot."),
  ],
  [
    /^No SW$/,
    () => new Refused("link_lost", "Chrome is stopping the extension's worker. Ask again."),
  ],
  [
    /showing error page/i,
    () =>
      new Refused("unsupported_page", "The tab shows an error page of the browser. Navigate anew."),
  ],
  [
    NOT_GRANTED,
    () =>
      new Refused(
        "not_allowed",
        "The user has not opened Outrigger on this tab yet. Ask them to click its toolbar button there.",
      ),
  ],
  [
    /^Cannot access contents of url "(about:blank)?"/,
    () => new Refused("unsupported_page", "The tab is empty. Navigate it to a page first."),
  ],
  [
    /^Cannot access|^Cannot attach|cannot be scripted|gallery|must request permission|Missing host permission|blocked by (an )?administrator/i,
    () =>
      new Refused(
        "unsupported_page",
        "The browser lets no extension read or change this page. Use another tab.",
      ),
  ],
  [
    REJECTED,
    () =>
      new Refused(
        "navigation_failed",
        "The browser would not begin that navigation. Try again, or open the address in a new tab.",
      ),
  ],
  [
    /^Error in invocation|Error at (parameter|property)/i,
    () => new Refused("invalid_arguments", "The payload does not fit this capability."),
  ],
];

export function isRejectedNavigation(error: unknown): boolean {
  return error instanceof Error && REJECTED.test(error.message);
}

/** The same failure with a code of ours, where one fits. */
export function explainChromeError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refused) return error;
  const meaning = MEANINGS.find(([pattern]) => pattern.test(error.message));
  return meaning ? meaning[1]() : error;
}
