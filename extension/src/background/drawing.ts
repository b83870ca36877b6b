// Keeps a tab in the background drawn for as long as something needs it. Focus
// emulation alone is good for one screenshot and a frame a second: the next one
// comes late or never, and what a page animates stands still. A screencast,
// however tiny, makes Chrome go on drawing at full pace; nobody takes its
// pictures, so that after the first few none is made.
import { refusalOf } from "../protocol/refused";
import { isDebugged, sendDebuggerCommand } from "./debugger";
import { isHeadless } from "./headless";
import { pause } from "./pause";
import { recentTab } from "./reachable";

const CAST = { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16 };

/** Long enough for the input that follows, and for what an action began. */
const STAY_MS = 5_000;
/** A page with nothing new to draw may be drawn as it should be already. */
const FIRST_FRAME_MS = 250;

const holders = new Map<number, number>();
/** Tabs that have a screencast. */
const cast = new Set<number>();
/** When tabs that are worked in may rest again. */
const stays = new Map<number, Stay>();

interface Stay {
  timer: ReturnType<typeof setTimeout>;
  /** For what is still to come: more of the pointer, or what is waited for. */
  isAhead: boolean;
}

export function watchDrawing(): void {
  chrome.debugger.onDetach.addListener(({ tabId }) => {
    if (tabId !== undefined) {
      cast.delete(tabId);
      rest(tabId);
    }
  });
  // What was in front and drawn anyway may not be any more.
  chrome.tabs.onActivated.addListener(({ tabId: front }) => {
    for (const tabId of holders.keys()) {
      if (tabId !== front && !cast.has(tabId)) startCast(tabId).catch(() => rest(tabId));
    }
  });
}

export async function whileDrawn<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  hold(tabId);
  try {
    await keepDrawn(tabId);
    return await work();
  } finally {
    letGo(tabId);
  }
}

/**
 * For the pointer. A page hears of a move with the next frame that is drawn, and
 * which frame's process gets an event is decided by what was drawn last. Where
 * no debugger can attach, no such event comes either.
 */
export async function drawAhead(tabId: number): Promise<void> {
  beginStay(tabId, true);
  if (cast.has(tabId)) return;
  const drawn = firstFrame(tabId);
  try {
    await startCast(tabId);
    await drawn.within(FIRST_FRAME_MS);
  } catch (error) {
    rest(tabId);
    if (refusalOf(error).code !== "debugger_refused") throw error;
  } finally {
    drawn.stop();
  }
}

/** For what a page animates: from now on for a while, where the debugger can attach. */
export function stayDrawn(tabId: number, isAhead = false): void {
  // Undrawn, the tab can be worked in all the same; the next action tries again.
  beginStay(tabId, isAhead);
  keepDrawn(tabId).catch(() => rest(tabId));
}

/** What an action began is over, and nothing moves: drawing on would only cost. */
export function endStay(tabId: number): void {
  if (!stays.get(tabId)?.isAhead) rest(tabId);
}

/** Or makes it longer. */
function beginStay(tabId: number, isAhead: boolean): void {
  const running = stays.get(tabId);
  clearTimeout(running?.timer);
  const timer = setTimeout(rest, STAY_MS, tabId);
  stays.set(tabId, { timer, isAhead: isAhead || running?.isAhead === true });
  if (running === undefined) hold(tabId);
}

function rest(tabId: number): void {
  const running = stays.get(tabId);
  if (running === undefined) return;
  clearTimeout(running.timer);
  stays.delete(tabId);
  letGo(tabId);
}

function hold(tabId: number): void {
  holders.set(tabId, (holders.get(tabId) ?? 0) + 1);
}

function letGo(tabId: number): void {
  const others = (holders.get(tabId) ?? 1) - 1;
  if (others > 0) {
    holders.set(tabId, others);
    return;
  }
  holders.delete(tabId);
  if (!cast.delete(tabId)) return;
  // The tab or the debugger may be gone by now, and the screencast with it.
  if (isDebugged(tabId)) sendDebuggerCommand(tabId, "Page.stopScreencast").catch(() => {});
}

function firstFrame(tabId: number) {
  const came = new AbortController();
  const listener = (source: { tabId?: number }, method: string) => {
    if (source.tabId === tabId && method === "Page.screencastFrame") came.abort();
  };
  chrome.debugger.onEvent.addListener(listener);
  return {
    within: (ms: number) => pause(ms, came.signal),
    stop: () => chrome.debugger.onEvent.removeListener(listener),
  };
}

/** Without a screen nothing covers what is in front, and it is drawn anyway. */
async function keepDrawn(tabId: number): Promise<void> {
  if (cast.has(tabId) || (isHeadless() && recentTab(tabId)?.active)) return;
  await startCast(tabId);
}

async function startCast(tabId: number): Promise<void> {
  cast.add(tabId);
  try {
    await sendDebuggerCommand(tabId, "Page.startScreencast", CAST);
  } catch (error) {
    if (!(error instanceof Error && /already active/i.test(error.message))) throw error;
  }
}
