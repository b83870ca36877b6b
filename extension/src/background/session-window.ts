// A window of an agent session's own. The panel stands in front there, and the
// session's tabs behind it: Chrome gives the focus to a window as soon as anything
// is pressed in the tab in front of it, and an agent takes nobody's focus. Whoever
// wants to watch chooses the tab.
import { openUnfocused } from "./unfocused-window";

const FRONT = "sidepanel.html?front";

/** A new window with such a tab. */
export async function openSessionWindow(url: string): Promise<chrome.tabs.Tab | undefined> {
  const made = await openUnfocused({ url: [FRONT, url] });
  return made?.tabs?.find(({ active }) => !active);
}

/** Closes such a window with the last tab of its session. */
export function watchSessionWindows(): void {
  const closeIfLeft = async (windowId: number) => {
    const [front, ...others] = await chrome.tabs.query({ windowId });
    if (front?.id === undefined || others.length > 0) return;
    if ((front.url || front.pendingUrl) === chrome.runtime.getURL(FRONT))
      await chrome.tabs.remove(front.id);
  };
  // The user may close the window themselves meanwhile.
  const close = (windowId: number) => void closeIfLeft(windowId).catch(() => {});
  chrome.tabs.onRemoved.addListener((_, { windowId, isWindowClosing }) => {
    if (!isWindowClosing) close(windowId);
  });
  chrome.tabs.onDetached.addListener((_, { oldWindowId }) => close(oldWindowId));
}
