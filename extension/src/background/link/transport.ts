// What carries frames: a socket, or the pipe of a program that the browser starts.
// What the frames mean is the connection's matter.
import type { HubFrame } from "./frames";

/** Our own codes for an end, outside those that the hub uses. */
export const GIVEN_UP = 4900;
/** The browser knows no host of ours, or can't start it. */
export const NO_HOST = 4901;
/** An end without a word, as sockets call it. */
export const NO_WORD = 1006;

export interface TransportEvents {
  /** The handshake can be sent. */
  opened(): void;
  frame(frame: HubFrame): void;
  closed(code: number, why: string): void;
}

export interface Transport {
  send(text: string): void;
  /** Without a word to `closed`. */
  close(): void;
}

/** Opens one. Nothing is told before it has returned. */
export type OpenTransport = (events: TransportEvents) => Transport;
