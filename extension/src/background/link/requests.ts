// Requests under way: one answer each, whatever happens first, be it the
// result, an error, the deadline or a cancel.
import { MAX_FRAME_BYTES } from "../../protocol/generated";
import { Refused, refusalOf } from "../../protocol/refused";
import type { Capability } from "../capabilities/capability";
import { explainChromeError } from "../chrome-errors";
import type { RequestFrame } from "./frames";

/** The hub closes the link on a larger frame; the margin is for what goes around it. */
const LARGEST_REPLY_BYTES = MAX_FRAME_BYTES - 64 * 1024;

const TIMEOUT =
  "The browser did not finish in time. Look at the page before doing it again: it may have happened, or the page may be busy.";

export class Requests {
  readonly #find: (name: string) => Capability | undefined;
  readonly #running = new Map<string, AbortController>();

  constructor(find: (name: string) => Capability | undefined) {
    this.#find = find;
  }

  /** Answers by `send`, once. */
  async run(request: RequestFrame, send: (text: string) => void): Promise<void> {
    const { id } = request;
    const abort = new AbortController();
    if (this.#running.has(id)) {
      send(refuse(id, new Refused("malformed_frame", "A request with this id is still running.")));
      return;
    }
    this.#running.set(id, abort);
    const deadline = setTimeout(
      () => abort.abort(new Refused("timeout", TIMEOUT)),
      request.deadlineMs,
    );
    try {
      send(answer(id, await this.#perform(request, abort.signal)));
    } catch (error) {
      send(refuse(id, error));
    } finally {
      clearTimeout(deadline);
      this.#running.delete(id);
    }
  }

  cancel(id: string): void {
    this.#running.get(id)?.abort(new Refused("cancelled", "The request was cancelled."));
  }

  /** Nobody is left to answer: stop what has not happened yet. */
  cancelAll(): void {
    for (const id of this.#running.keys()) this.cancel(id);
  }

  #perform(request: RequestFrame, signal: AbortSignal): Promise<unknown> {
    const capability = this.#find(request.type);
    if (!capability) {
      throw new Refused("unknown_message", "This extension has no such capability.", {
        by: request.type,
      });
    }
    const startedAt = Date.now();
    const context = { signal, startedAt, deadline: startedAt + request.deadlineMs };
    const interrupted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    return Promise.race([capability.run(request.payload, context), interrupted]);
  }
}

function answer(id: string, result: unknown): string {
  const text = JSON.stringify({ id, result: result ?? null });
  if (isSmallEnough(text)) return text;
  return refuse(
    id,
    new Refused(
      "too_large",
      "The result is too large to send. Ask for a smaller part of the page.",
    ),
  );
}

/** In UTF-8, which is what travels: a character has up to three bytes. */
function isSmallEnough(text: string): boolean {
  if (text.length * 3 <= LARGEST_REPLY_BYTES) return true;
  return new TextEncoder().encode(text).length <= LARGEST_REPLY_BYTES;
}

function refuse(id: string, error: unknown): string {
  return JSON.stringify({ id, ...refusalOf(explainChromeError(error)) });
}
