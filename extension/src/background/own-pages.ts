// Who may give the worker orders: the extension's own pages, as pages of their own.
// The scripts that it runs in web pages share its id, but not its origin; and a
// frame inside a web page could be pressed without being seen.

const PANEL = "/sidepanel.html";
const POPUP = "/popup.html";
const PAGES = [PANEL, POPUP, "/options.html"];

type Sender = chrome.runtime.MessageSender | undefined;

export function isOwnPage(sender: Sender): boolean {
  if (!sender || sender.id !== chrome.runtime.id) return false;
  const ownOrigin = `chrome-extension://${chrome.runtime.id}`;
  const { protocol, host, pathname } = addressOf(sender);
  if (sender.origin !== ownOrigin || `${protocol}//${host}` !== ownOrigin) return false;
  // Popup and side panel are in no tab.
  return PAGES.includes(pathname) && (sender.tab === undefined || sender.frameId === 0);
}

/**
 * One that the user has open, to answer in: not the one in front of an agent's own
 * window, which nobody opened to look at, nor the one that was opened for asking.
 */
export function isPanel(sender: Sender): boolean {
  if (!sender || !isOwnPage(sender)) return false;
  const { pathname, search } = addressOf(sender);
  return pathname === PANEL && !["?front", "?window"].includes(search);
}

export function isPopup(sender: Sender): boolean {
  // One in a tab was opened by something else than the toolbar button.
  if (!sender || sender.tab !== undefined || !isOwnPage(sender)) return false;
  return addressOf(sender).pathname === POPUP;
}

function addressOf({ url }: chrome.runtime.MessageSender): URL {
  return URL.parse(url ?? "") ?? new URL("about:blank");
}
