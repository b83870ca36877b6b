// WebSockets among a tab's requests: that one was opened, how it was answered,
// how many messages went each way, and when it closed. What the messages say is
// not kept.
import { tellAddress } from "./addresses";
import type { Answer, Headers } from "./network-events";
import type { Recorded } from "./network-requests";

export interface SocketEvent {
  requestId: string;
}

interface Created extends SocketEvent {
  url: string;
}

interface Handshake extends SocketEvent {
  timestamp: number;
  wallTime?: number;
  request?: { headers: Headers };
  response?: Answer;
}

interface Failure extends SocketEvent {
  errorMessage: string;
}

export function isSocketEvent(method: string): boolean {
  return method.startsWith("Network.webSocket");
}

/** Undefined for what is no beginning. */
export function begunSocket(
  method: string,
  params: SocketEvent,
  id: number,
  sessionId: string | undefined,
): Recorded | undefined {
  if (method !== "Network.webSocketCreated") return undefined;
  const { requestId, url } = params as Created;
  return {
    requestId,
    sessionId,
    told: {
      id,
      method: "GET",
      url: tellAddress(url),
      kind: "websocket",
      at: Date.now(),
      messages: { sent: 0, received: 0 },
    },
    requestHeaders: {},
    responseHeaders: {},
    sentFields: [],
    hasUnseenBody: false,
    isRedirect: false,
    isFinished: false,
    whenFinished: [],
    startedAt: Number.NaN,
    hasWire: { request: false, response: false },
  };
}

/** Whether the socket is closed now. */
export function noteSocket(recorded: Recorded, method: string, params: SocketEvent): boolean {
  const { told } = recorded;
  switch (method) {
    case "Network.webSocketWillSendHandshakeRequest": {
      const { timestamp, wallTime, request } = params as Handshake;
      recorded.startedAt = timestamp;
      if (wallTime !== undefined) told.at = wallTime * 1000;
      if (request && !recorded.hasWire.request) recorded.requestHeaders = request.headers;
      return false;
    }
    case "Network.webSocketHandshakeResponseReceived": {
      const { response } = params as Handshake;
      if (!response) return false;
      told.status = response.status;
      if (!recorded.hasWire.response) recorded.responseHeaders = response.headers;
      return false;
    }
    case "Network.webSocketFrameSent":
      if (told.messages) told.messages.sent += 1;
      return false;
    case "Network.webSocketFrameReceived":
      if (told.messages) told.messages.received += 1;
      return false;
    case "Network.webSocketFrameError":
      told.failed = (params as Failure).errorMessage.slice(0, 200);
      return false;
    default:
      return method === "Network.webSocketClosed";
  }
}
