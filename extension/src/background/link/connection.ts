// One connection from its opening to its end: handshake, keepalive, frames.
// Whether there should be another one afterwards is the link's decision.
import type { Handshake, HandshakeAck } from "../../protocol/generated";
import type { HubFrame } from "./frames";
import { GIVEN_UP, type OpenTransport, type Transport } from "./transport";

/** Opening and handshake together; a port that swallows everything must not hold us. */
const READY_WITHIN_MS = 10_000;
/** So many keepalive periods without a frame and the other side counts as gone. */
const SILENT_PERIODS = 2.5;

export interface ConnectionEnd {
  code: number;
  /** Whether the hub ever answered. */
  opened: boolean;
  why: string;
}

export interface ConnectionEvents {
  ready(ack: HandshakeAck): void;
  frame(frame: HubFrame): void;
  /** Called once, unless this side abandoned it. */
  ended(end: ConnectionEnd): void;
}

export class Connection {
  readonly #transport: Transport;
  readonly #events: ConnectionEvents;
  #opened = false;
  #ready = false;
  #over = false;
  #sequence = 0;
  #silenceMs = READY_WITHIN_MS;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #pings: ReturnType<typeof setInterval> | undefined;

  constructor(open: OpenTransport, handshake: () => Promise<Handshake>, events: ConnectionEvents) {
    this.#events = events;
    this.#transport = open({
      opened: async () => {
        this.#opened = true;
        const first = await handshake();
        this.#send({ type: "handshake", ...first });
      },
      frame: (frame) => this.#receive(frame),
      closed: (code, why) => this.#end(code, why),
    });
    this.#expectFrame();
  }

  get isReady(): boolean {
    return this.#ready && !this.#over;
  }

  /**
   * A reply, already as text: its size was looked at. One that finds no
   * connection is asked for again over the next.
   */
  sendReply(text: string): void {
    if (this.isReady) this.#sendText(text);
  }

  sendEvent(event: object): void {
    if (!this.isReady) return;
    this.#sequence += 1;
    this.#send({ type: "event", ...event, seq: this.#sequence });
  }

  /** Ends it from this side, without a word to `ended`. */
  abandon(): void {
    this.#finish();
  }

  #send(frame: object): void {
    this.#sendText(JSON.stringify(frame));
  }

  #sendText(text: string): void {
    if (!this.#over) this.#transport.send(text);
  }

  #receive(frame: HubFrame): void {
    if (this.#over) return;
    this.#expectFrame();
    switch (frame.kind) {
      case "ack":
        this.#becomeReady(frame.ack);
        break;
      case "ping":
        this.#send({ type: "pong" });
        break;
      case "pong":
        break;
      default:
        this.#events.frame(frame);
    }
  }

  #becomeReady(ack: HandshakeAck): void {
    if (this.#ready) return;
    this.#ready = true;
    this.#silenceMs = ack.keepaliveMs * SILENT_PERIODS;
    this.#expectFrame();
    this.#pings = setInterval(() => this.#send({ type: "ping" }), ack.keepaliveMs);
    this.#events.ready(ack);
  }

  #expectFrame(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#end(GIVEN_UP, "no sign of life"), this.#silenceMs);
  }

  #end(code: number, why: string): void {
    if (this.#over) return;
    this.#finish();
    this.#events.ended({ code, opened: this.#opened, why });
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#silence);
    clearInterval(this.#pings);
    this.#transport.close();
  }
}
