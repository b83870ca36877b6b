// What calls for the user's attention outside of our own pages: a badge on the
// toolbar button, and a notification for each request of an agent.
import type { UserRequest } from "../protocol/generated";
import { requestMessage, requestTitle } from "../request-words";

const PREFIX = "request-";
const STOPPED_COLOUR = "#c62828";
const WAITING_COLOUR = "#0b6b74";

/** What the badge says; unknown until this worker has set it. */
let badge: string | undefined;

/** Those that are shown, so that an answered one is taken away. */
let shown = new Set<string>();

/** Whether those are taken away that a worker before this one showed. */
let isTidy = false;

export function showBadge(isStopped: boolean, waiting: number): void {
  const text = isStopped ? "■" : waiting > 0 ? String(waiting) : "";
  if (text === badge) return;
  badge = text;
  void chrome.action.setBadgeText({ text });
  void chrome.action.setBadgeBackgroundColor({
    color: isStopped ? STOPPED_COLOUR : WAITING_COLOUR,
  });
}

export function showNotifications(requests: readonly UserRequest[]): void {
  // The small build has no permission for them.
  if (!chrome.notifications) return;
  const wanted = new Map(requests.map((request) => [`${PREFIX}${request.id}`, request]));
  for (const [id, request] of wanted) {
    if (!shown.has(id)) notify(id, request);
  }
  for (const id of shown) {
    if (!wanted.has(id)) void chrome.notifications.clear(id);
  }
  shown = new Set(wanted.keys());
  if (!isTidy) void tidy();
}

/** A notification outlives the worker that showed it. */
async function tidy(): Promise<void> {
  isTidy = true;
  for (const id of Object.keys(await chrome.notifications.getAll())) {
    if (id.startsWith(PREFIX) && !shown.has(id)) void chrome.notifications.clear(id);
  }
}

/** A click on one leads to where it is answered. */
export function watchNotifications(open: () => Promise<void>): void {
  chrome.notifications?.onClicked.addListener((id) => {
    if (id.startsWith(PREFIX)) void open();
  });
}

function notify(id: string, request: UserRequest): void {
  const options = {
    type: "basic",
    iconUrl: chrome.runtime.getURL("/icon/128.png"),
    title: requestTitle(request),
    message: requestMessage(request),
    requireInteraction: true,
  } as const;
  // A desktop without notifications shows none; the badge and the panel do.
  chrome.notifications.create(id, options).catch(() => {});
}
