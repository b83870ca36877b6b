// Requests that a page makes while an action is under way. Told by the debugger
// from the first action in a tab on, in the order of the inputs: asked of the
// page itself, they would only be known once they have ended.
import { isNetworkRecorded } from "./capabilities/network";
import { sendDebuggerCommand } from "./debugger";
import { pause } from "./pause";

interface Request {
  beganAt: number;
  /** When anything was last heard of it. */
  heardAt: number;
  /** The server answered. A page that leaves the answer unread never ends it. */
  isAnswered: boolean;
}

/** What a page changes itself with. Pictures, beacons and streams of events don't count. */
const COUNTED = new Set(["Fetch", "XHR", "Script"]);
const NEWS = new Set(
  ["responseReceived", "dataReceived", "loadingFinished", "loadingFailed"].map(
    (name) => `Network.${name}`,
  ),
);
/** Nothing of what goes over the wire is kept for us. */
const NO_BUFFERS = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };
/** Older ones are of no action that is still being settled. */
const REMEMBERED_MS = 20_000;

const watched = new Map<number, Promise<unknown>>();
const requests = new Map<number, Map<string, Request>>();
const news = new Map<number, AbortController>();

export function watchPageRequests(): void {
  chrome.debugger.onEvent.addListener(({ tabId }, method, params) => {
    if (tabId === undefined || !watched.has(tabId)) return;
    const { requestId, type } = (params ?? {}) as { requestId?: string; type?: string };
    if (requestId === undefined) return;
    if (method === "Network.requestWillBeSent" && COUNTED.has(type ?? "")) begin(tabId, requestId);
    if (NEWS.has(method)) hear(tabId, requestId);
  });
  chrome.debugger.onDetach.addListener(({ tabId }) => {
    if (tabId !== undefined) forget(tabId);
  });
  chrome.tabs.onRemoved.addListener(forget);
}

/** Before an input. Where nobody can watch, nothing is waited for. */
export function expectRequests(tabId: number): Promise<unknown> {
  const known = watched.get(tabId);
  if (known) return known;
  const watching = isNetworkRecorded(tabId)
    ? Promise.resolve()
    : sendDebuggerCommand(tabId, "Network.enable", NO_BUFFERS).catch(() => forget(tabId));
  watched.set(tabId, watching);
  return watching;
}

/** Whether a tab made any since then. */
export function hasRequestsSince(tabId: number, since: number): boolean {
  return begunSince(tabId, since).length > 0;
}

/** Waits until those that began since then are answered, and nothing was heard for so long. */
export async function untilRequestsQuiet(
  tabId: number,
  { since, quietMs, until }: { since: number; quietMs: number; until: number },
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const begun = begunSince(tabId, since);
    const isPending = begun.some(({ isAnswered }) => !isAnswered);
    const quietAt = Math.max(...begun.map(({ heardAt }) => heardAt)) + quietMs;
    const now = Date.now();
    if (!isPending && now >= quietAt) return true;
    if (now >= until || signal.aborted) return false;
    const next = isPending ? until : Math.min(quietAt, until);
    await pause(next - now, AbortSignal.any([signal, newsOf(tabId)]));
  }
}

function begunSince(tabId: number, since: number): Request[] {
  const known = [...(requests.get(tabId)?.values() ?? [])];
  return known.filter(({ beganAt }) => beganAt >= since);
}

function begin(tabId: number, requestId: string): void {
  const beganAt = Date.now();
  const known = requests.get(tabId) ?? new Map<string, Request>();
  for (const [id, request] of known) {
    if (request.beganAt < beganAt - REMEMBERED_MS) known.delete(id);
  }
  // A redirect goes on under the same name.
  if (!known.has(requestId)) known.set(requestId, { beganAt, heardAt: beganAt, isAnswered: false });
  requests.set(tabId, known);
  tell(tabId);
}

function hear(tabId: number, requestId: string): void {
  const request = requests.get(tabId)?.get(requestId);
  if (!request) return;
  request.heardAt = Date.now();
  request.isAnswered = true;
  tell(tabId);
}

function newsOf(tabId: number): AbortSignal {
  const teller = news.get(tabId) ?? new AbortController();
  news.set(tabId, teller);
  return teller.signal;
}

function tell(tabId: number): void {
  news.get(tabId)?.abort();
  news.delete(tabId);
}

function forget(tabId: number): void {
  watched.delete(tabId);
  requests.delete(tabId);
  tell(tabId);
}
