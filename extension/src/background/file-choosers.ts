// The browser's window for choosing files: nobody but the user can use it, and it
// stays in front of everything until they do. While an agent acts in a tab it is held
// back, and that the page asked for it is told instead.
import { FILE_CHOOSERS, isDebugged, sendDebuggerCommand } from "./debugger";

/** So long after the last input a page may still ask; then the user's own presses count again. */
const HELD_MS = 3_000;

interface Hold {
  ready: Promise<unknown>;
  end: ReturnType<typeof setTimeout>;
}

const held = new Map<number, Hold>();
/** When a page last asked. */
const askedAt = new Map<number, number>();

export function watchFileChoosers(): void {
  chrome.debugger.onEvent.addListener(({ tabId }, method) => {
    if (tabId !== undefined && method === "Page.fileChooserOpened") askedAt.set(tabId, Date.now());
  });
  chrome.debugger.onDetach.addListener(({ tabId }) => tabId !== undefined && forget(tabId));
  chrome.tabs.onRemoved.addListener(forget);
}

/**
 * Before an input, which waits for it: inputs overtake orders. Asked for while an
 * element is made ready, it has long been done by then.
 */
export function holdFileChoosers(tabId: number): Promise<unknown> {
  const known = held.get(tabId);
  clearTimeout(known?.end);
  const ready = known?.ready ?? send(tabId, true);
  held.set(tabId, { ready, end: setTimeout(() => letGo(tabId), HELD_MS) });
  return ready;
}

/** Whether a page asked for files since then. */
export function wantsFilesSince(tabId: number, since: number): boolean {
  return (askedAt.get(tabId) ?? 0) >= since;
}

function letGo(tabId: number): void {
  held.delete(tabId);
  // With the debugger it ended by itself.
  if (isDebugged(tabId)) void send(tabId, false);
}

/** Where there is no debugger there are no presses that open such a window either. */
function send(tabId: number, enabled: boolean): Promise<unknown> {
  return sendDebuggerCommand(tabId, FILE_CHOOSERS, { enabled }).catch(() => {});
}

function forget(tabId: number): void {
  clearTimeout(held.get(tabId)?.end);
  held.delete(tabId);
  askedAt.delete(tabId);
}
