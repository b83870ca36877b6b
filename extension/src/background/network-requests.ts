// The requests of one tab, from what the debugger tells of them. A redirect is
// a request of its own, though the debugger counts it with the one it leads to.
import type { NetworkRequest } from "../protocol/generated";
import { tellAddress } from "./addresses";
import type {
  Answer,
  Answered,
  Data,
  Ended,
  Failed,
  Headers,
  Sent,
  WireHeaders,
} from "./network-events";
import type { Listener } from "./recording";
import { Ring } from "./ring";
import { sentFields } from "./sent-fields";
import { begunSocket, isSocketEvent, noteSocket, type SocketEvent } from "./web-sockets";

const MOST_REQUESTS = 500;

export interface Recorded {
  /** The debugger's name for it and for the redirects before it. */
  requestId: string;
  /** Of the frame that it is from, if not of the page's own process. */
  sessionId: string | undefined;
  told: NetworkRequest;
  requestHeaders: Headers;
  responseHeaders: Headers;
  sentFields: string[];
  /** There is a body that the debugger did not pass along. */
  hasUnseenBody: boolean;
  isRedirect: boolean;
  isFinished: boolean;
  /** Called when it finishes. */
  whenFinished: (() => void)[];
  /** On the debugger's own clock, in seconds. */
  startedAt: number;
  /** Which of its headers are those of the wire, and need no other. */
  hasWire: { request: boolean; response: boolean };
}

export class NetworkRequests implements Listener {
  readonly began = Date.now();
  readonly #ring = new Ring<Recorded>(MOST_REQUESTS);
  /** One for each redirect, the last one last. */
  readonly #hops = new Map<string, Recorded[]>();
  /** Headers of the wire that came before the request they belong to. */
  readonly #early = new Map<string, Headers[]>();
  #last = 0;

  get all(): readonly Recorded[] {
    return this.#ring.items;
  }

  /** From when on all requests are kept, in milliseconds since the epoch. */
  get keptSince(): number {
    const oldest = this.#ring.items[0]?.told.at;
    return this.dropped > 0 && oldest !== undefined ? oldest : this.began;
  }

  get dropped(): number {
    return this.#ring.dropped;
  }

  find(id: number): Recorded | undefined {
    return this.#ring.items.find(({ told }) => told.id === id);
  }

  hear(method: string, params: unknown, sessionId?: string): void {
    switch (method) {
      case "Network.requestWillBeSent":
        this.#sent(params as Sent, sessionId);
        break;
      case "Network.requestWillBeSentExtraInfo":
        this.#sentHeaders(params as WireHeaders);
        break;
      case "Network.responseReceived":
        this.#answered(params as Answered);
        break;
      case "Network.responseReceivedExtraInfo":
        this.#answeredHeaders(params as WireHeaders);
        break;
      case "Network.dataReceived":
        this.#received(params as Data);
        break;
      case "Network.loadingFinished":
        this.#ended(params as Ended);
        break;
      case "Network.loadingFailed":
        this.#failed(params as Failed);
        break;
      default:
        if (isSocketEvent(method)) this.#socket(method, params as SocketEvent, sessionId);
    }
  }

  #socket(method: string, params: SocketEvent, sessionId: string | undefined): void {
    const begun = begunSocket(method, params, this.#last + 1, sessionId);
    if (begun) this.#keep(begun);
    const recorded = this.#current(params.requestId);
    if (!recorded || !noteSocket(recorded, method, params)) return;
    finish(recorded, (params as Ended).timestamp);
  }

  #sent(sent: Sent, sessionId: string | undefined): void {
    const { requestId, request, type, timestamp, wallTime, redirectResponse } = sent;
    const before = this.#current(requestId);
    if (before && redirectResponse) {
      noteAnswer(before, redirectResponse);
      before.isRedirect = true;
      finish(before, timestamp);
    }
    const { postData, hasPostData = false, headers } = request;
    const recorded: Recorded = {
      requestId,
      sessionId,
      told: {
        id: this.#last + 1,
        method: request.method,
        url: tellAddress(request.url),
        kind: type?.toLowerCase() ?? "other",
        at: wallTime * 1000,
      },
      requestHeaders: headers,
      responseHeaders: {},
      sentFields: postData === undefined ? [] : sentFields(postData, contentTypeOf(headers)),
      hasUnseenBody: hasPostData && postData === undefined,
      isRedirect: false,
      isFinished: false,
      whenFinished: [],
      startedAt: timestamp,
      hasWire: { request: false, response: false },
    };
    this.#keep(recorded);
  }

  #keep(recorded: Recorded): void {
    const { requestId } = recorded;
    this.#last = recorded.told.id;
    const early = this.#early.get(requestId)?.shift();
    if (early) noteSentHeaders(recorded, early);
    this.#hops.set(requestId, [...(this.#hops.get(requestId) ?? []), recorded]);
    const dropped = this.#ring.push(recorded);
    if (dropped) this.#forget(dropped);
  }

  #sentHeaders({ requestId, headers }: WireHeaders): void {
    const waiting = this.#hops.get(requestId)?.find(({ hasWire }) => !hasWire.request);
    if (waiting) {
      noteSentHeaders(waiting, headers);
      return;
    }
    // One that was dropped, or never told of, must not wait forever.
    if (this.#early.size > MOST_REQUESTS) this.#early.clear();
    this.#early.set(requestId, [...(this.#early.get(requestId) ?? []), headers]);
  }

  #answered({ requestId, response, type }: Answered): void {
    const recorded = this.#current(requestId);
    if (!recorded) return;
    noteAnswer(recorded, response);
    if (type) recorded.told.kind = type.toLowerCase();
  }

  #answeredHeaders({ requestId, headers, statusCode }: WireHeaders): void {
    const waiting = this.#hops.get(requestId)?.find(({ hasWire }) => !hasWire.response);
    if (!waiting) return;
    waiting.responseHeaders = headers;
    waiting.hasWire.response = true;
    if (statusCode) waiting.told.status ??= statusCode;
  }

  #received({ requestId, dataLength }: Data): void {
    const told = this.#current(requestId)?.told;
    if (told) told.bytes = (told.bytes ?? 0) + dataLength;
  }

  #ended({ requestId, timestamp }: Ended): void {
    const recorded = this.#current(requestId);
    if (!recorded) return;
    recorded.told.bytes ??= 0;
    finish(recorded, timestamp);
  }

  #failed({ requestId, timestamp, errorText }: Failed): void {
    const recorded = this.#current(requestId);
    if (!recorded) return;
    recorded.told.failed = errorText || "net::ERR_FAILED";
    finish(recorded, timestamp);
  }

  #current(requestId: string): Recorded | undefined {
    return this.#hops.get(requestId)?.at(-1);
  }

  #forget(dropped: Recorded): void {
    const left = this.#hops.get(dropped.requestId)?.filter((one) => one !== dropped) ?? [];
    if (left.length > 0) this.#hops.set(dropped.requestId, left);
    else this.#hops.delete(dropped.requestId);
  }
}

function noteSentHeaders(recorded: Recorded, headers: Headers): void {
  recorded.requestHeaders = headers;
  recorded.hasWire.request = true;
}

function noteAnswer(recorded: Recorded, { status, mimeType, headers }: Answer): void {
  recorded.told.status = status;
  if (mimeType) recorded.told.mime = mimeType;
  if (!recorded.hasWire.response) recorded.responseHeaders = headers;
}

function finish(recorded: Recorded, timestamp: number): void {
  recorded.isFinished = true;
  for (const tell of recorded.whenFinished.splice(0)) tell();
  const seconds = timestamp - recorded.startedAt;
  // A socket that never got as far as its handshake took no time.
  recorded.told.tookMs = seconds > 0 ? Math.round(seconds * 1000) : 0;
}

/** Resolves when the request has finished, or this time has passed. */
export async function finished(recorded: Recorded, longestMs: number): Promise<void> {
  if (recorded.isFinished) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestMs);
    recorded.whenFinished.push(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

export function contentTypeOf(headers: Headers): string {
  const entry = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type");
  return entry?.[1] ?? "";
}
