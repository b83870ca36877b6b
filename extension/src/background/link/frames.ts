// What the hub may send, told apart once.
import {
  type HandshakeAck,
  HELM_VERSION,
  type HelmState,
  type Tracking,
} from "../../protocol/generated";

export interface RequestFrame {
  type: string;
  payload: unknown;
  id: string;
  deadlineMs: number;
  /** It must not run twice. */
  once: boolean;
}

export type HubFrame =
  | { kind: "ack"; ack: HandshakeAck }
  | { kind: "request"; request: RequestFrame }
  | { kind: "cancel"; id: string }
  | { kind: "helm"; state: HelmState }
  | { kind: "tracking"; tracking: Tracking }
  | { kind: "complaint"; code: string }
  | { kind: "ping" }
  | { kind: "pong" }
  | { kind: "malformed"; why: string };

const DEFAULT_DEADLINE_MS = 30_000;
const DEFAULT_KEEPALIVE_MS = 20_000;

export function parseFrame(text: string): HubFrame {
  try {
    return frameOf(JSON.parse(text));
  } catch {
    return { kind: "malformed", why: "not JSON" };
  }
}

export function frameOf(value: unknown): HubFrame {
  const frame = value as Record<string, unknown>;
  if (typeof frame !== "object" || frame === null || typeof frame.type !== "string") {
    return { kind: "malformed", why: "no type" };
  }
  switch (frame.type) {
    case "handshake_ack":
      return { kind: "ack", ack: ackOf(frame) };
    case "ping":
      return { kind: "ping" };
    case "pong":
      return { kind: "pong" };
    case "helm":
      return helmOf(frame.payload);
    case "tracking":
      return { kind: "tracking", tracking: trackingOf(frame.payload) };
    case "error":
      return { kind: "complaint", code: String(frame.code) };
  }
  if (typeof frame.id !== "string") return { kind: "malformed", why: "no id" };
  if (frame.type === "cancel") return { kind: "cancel", id: frame.id };
  const { type, id, payload } = frame as { type: string; id: string; payload?: unknown };
  const deadlineMs = positive(frame.deadlineMs, DEFAULT_DEADLINE_MS);
  const once = frame.once === true;
  return { kind: "request", request: { type, id, payload: payload ?? {}, deadlineMs, once } };
}

/** The handshake said which form is understood; another one is not shown half. */
function helmOf(payload: unknown): HubFrame {
  const state = payload as HelmState | undefined;
  if (state?.version !== HELM_VERSION) return { kind: "malformed", why: "another helm version" };
  return { kind: "helm", state };
}

function trackingOf(payload: unknown): Tracking {
  const said = payload as Partial<Tracking> | undefined;
  return { isFollowed: said?.isFollowed === true, startsOver: said?.startsOver === true };
}

/** A hub written from the older document sends no more than a status and a version. */
function ackOf(frame: Record<string, unknown>): HandshakeAck {
  return {
    status: String(frame.status),
    bridgeVersion: String(frame.bridgeVersion ?? ""),
    linkId: String(frame.linkId ?? ""),
    keepaliveMs: positive(frame.keepaliveMs, DEFAULT_KEEPALIVE_MS),
    resumed: frame.resumed === true,
  };
}

function positive(value: unknown, otherwise: number): number {
  return typeof value === "number" && value > 0 ? value : otherwise;
}
