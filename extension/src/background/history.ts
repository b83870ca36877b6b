// Back and forward. Chrome's own `tabs.goBack` skips pages on which the user did
// nothing, so it may miss every page that an agent went to; the debugger knows
// them all. Where it can't attach, Chrome's idea of "back" must do.
import type { ErrorCode } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { sendDebuggerCommand } from "./debugger";

/** No debugger, or no page for it to attach to. */
const OUT_OF_REACH = new Set<ErrorCode>(["debugger_refused", "tab_crashed"]);

interface NavigationHistory {
  currentIndex: number;
  entries: { id: number }[];
}

export async function goInHistory(tabId: number, delta: number): Promise<void> {
  try {
    const { currentIndex, entries } = await sendDebuggerCommand<NavigationHistory>(
      tabId,
      "Page.getNavigationHistory",
    );
    const entry = entries[currentIndex + delta];
    if (!entry) throw nowhere(delta);
    await sendDebuggerCommand(tabId, "Page.navigateToHistoryEntry", { entryId: entry.id });
  } catch (error) {
    const isOutOfReach = error instanceof Refused && OUT_OF_REACH.has(error.code);
    if (!isOutOfReach) throw error;
    await goAsTheUserWould(tabId, delta);
  }
}

async function goAsTheUserWould(tabId: number, delta: number): Promise<void> {
  try {
    await (delta < 0 ? chrome.tabs.goBack(tabId) : chrome.tabs.goForward(tabId));
  } catch (error) {
    if (error instanceof Error && /next page in history/i.test(error.message)) throw nowhere(delta);
    throw error;
  }
}

function nowhere(delta: number): Refused {
  return new Refused("not_found", `There is no page to go ${delta < 0 ? "back" : "forward"} to.`);
}
