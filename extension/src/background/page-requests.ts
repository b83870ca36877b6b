// Requests that a page makes while an action is under way. Told by the debugger
// from the first action in a tab on, in the order of the inputs: asked of the
// page itself, they would only be known once they have ended. Those of frames in other
// processes are told from the first action inside a frame on, and count for such actions
// alone: what advertisements load all the time is no part of what a page does.
import { isNetworkRecorded } from "./capabilities/network";
import { sendDebuggerCommand } from "./debugger";
import {
  FRAMES,
  forgetFrameSession,
  forgetFrameSessions,
  frameSessions,
  noteFrameSession,
} from "./frame-sessions";
import { pause } from "./pause";

interface Request {
  beganAt: number;
  /** When anything was last heard of it. */
  heardAt: number;
  /** The server answered. A page that leaves the answer unread never ends it. */
  isAnswered: boolean;
  /** Of a frame in another process. */
  isFramed: boolean;
}

/** Which requests count. */
export interface RequestsOf {
  tabId: number;
  /** Those of frames in other processes, too. */
  inFrames: boolean;
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
/** A frame that is busy answers late, and holds up nobody. */
const FRAME_PATIENCE_MS = 300;

const watched = new Map<number, Promise<unknown>>();
const framesWatched = new Map<number, Promise<unknown>>();
/** Frames that are being told to tell of their requests. */
const joining = new Map<number, Set<Promise<unknown>>>();
const requests = new Map<number, Map<string, Request>>();
const news = new Map<number, AbortController>();

export function watchPageRequests(): void {
  chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params) => {
    if (tabId === undefined) return;
    const told = (params ?? {}) as { requestId?: string; type?: string; sessionId?: string };
    if (told.sessionId !== undefined) hearOfFrame(tabId, method, told.sessionId);
    if (told.requestId === undefined || !watched.has(tabId)) return;
    // Numbers of requests are those of a process.
    const id = `${sessionId ?? ""} ${told.requestId}`;
    if (method === "Network.requestWillBeSent" && COUNTED.has(told.type ?? "")) {
      begin(tabId, id, sessionId !== undefined);
    }
    if (NEWS.has(method)) hear(tabId, id);
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

/** The same before an input inside a frame. */
export async function expectFrameRequests(tabId: number): Promise<void> {
  const watching = framesWatched.get(tabId) ?? watchFrames(tabId);
  framesWatched.set(tabId, watching);
  const over = new AbortController();
  await Promise.race([watching, pause(FRAME_PATIENCE_MS, over.signal)]);
  over.abort();
}

/** Until all frames tell that are there by now: they are announced before the answer. */
async function watchFrames(tabId: number): Promise<void> {
  for (const frame of frameSessions(tabId)) join(tabId, frame);
  const { method, params } = FRAMES;
  await sendDebuggerCommand(tabId, method, params).catch(() => framesWatched.delete(tabId));
  while (joining.get(tabId)?.size) await Promise.all(joining.get(tabId) ?? []);
}

function hearOfFrame(tabId: number, method: string, frame: string): void {
  if (method === "Target.detachedFromTarget") forgetFrameSession(tabId, frame);
  if (method !== "Target.attachedToTarget") return;
  noteFrameSession(tabId, frame);
  if (framesWatched.has(tabId)) join(tabId, frame);
}

/** Has a frame tell of its requests, and of frames in it. */
function join(tabId: number, sessionId: string): void {
  const enable = { method: "Network.enable", params: NO_BUFFERS };
  const commands = isNetworkRecorded(tabId) ? [FRAMES] : [enable, FRAMES];
  const all = joining.get(tabId) ?? new Set();
  joining.set(tabId, all);
  const sent = commands.map(({ method, params }) =>
    chrome.debugger.sendCommand({ tabId, sessionId }, method, params),
  );
  // It may be gone by now.
  const joined: Promise<unknown> = Promise.allSettled(sent).then(() => all.delete(joined));
  all.add(joined);
}

/** Whether any were made since then. */
export function hasRequestsSince(of: RequestsOf, since: number): boolean {
  return begunSince(of, since).length > 0;
}

/** Waits until those that began since then are answered, and nothing was heard for so long. */
export async function untilRequestsQuiet(
  of: RequestsOf,
  { since, quietMs, until }: { since: number; quietMs: number; until: number },
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const begun = begunSince(of, since);
    const isPending = begun.some(({ isAnswered }) => !isAnswered);
    const quietAt = Math.max(...begun.map(({ heardAt }) => heardAt)) + quietMs;
    const now = Date.now();
    if (!isPending && now >= quietAt) return true;
    if (now >= until || signal.aborted) return false;
    const next = isPending ? until : Math.min(quietAt, until);
    await pause(next - now, AbortSignal.any([signal, newsOf(of.tabId)]));
  }
}

function begunSince({ tabId, inFrames }: RequestsOf, since: number): Request[] {
  const known = [...(requests.get(tabId)?.values() ?? [])];
  return known.filter(({ beganAt, isFramed }) => beganAt >= since && (inFrames || !isFramed));
}

function begin(tabId: number, requestId: string, isFramed: boolean): void {
  const beganAt = Date.now();
  const known = requests.get(tabId) ?? new Map<string, Request>();
  for (const [id, request] of known) {
    if (request.beganAt < beganAt - REMEMBERED_MS) known.delete(id);
  }
  // A redirect goes on under the same name.
  if (!known.has(requestId)) {
    known.set(requestId, { beganAt, heardAt: beganAt, isAnswered: false, isFramed });
  }
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
  framesWatched.delete(tabId);
  joining.delete(tabId);
  forgetFrameSessions(tabId);
  requests.delete(tabId);
  tell(tabId);
}
