// Requests under way: one answer each, whatever happens first, be it the
// result, an error, the deadline or a cancel. Those that change something run
// once, however often they are asked for.
import { MAX_FRAME_BYTES } from "../../protocol/generated";
import { Refused, refusalOf } from "../../protocol/refused";
import type { Capability, Once } from "../capabilities/capability";
import { explainChromeError } from "../chrome-errors";
import type { RequestFrame } from "./frames";
import type { Journal } from "./journal";

/** The hub closes the link on a larger frame; the margin is for what goes around it. */
const LARGEST_REPLY_BYTES = MAX_FRAME_BYTES - 64 * 1024;

const TIMEOUT =
  "The browser did not finish in time. Look at the page before doing it again: it may have happened, or the page may be busy.";

const UNKNOWN =
  "The browser lost track of this call in the middle, so it is unknown whether it happened. Look at the page before doing it again.";

const DONE_UNTOLD =
  "This was carried out, but what it answered was lost with the connection. Look at the page, and don't do it again.";

export function stoppedByUser(): Refused {
  return new Refused(
    "stopped",
    "The user stopped everything. Do nothing more in the browser until the user lets you go on.",
  );
}

export class Requests {
  readonly #find: (name: string) => Capability | undefined;
  readonly #journal: Journal;
  readonly #running = new Map<string, AbortController>();

  constructor(find: (name: string) => Capability | undefined, journal: Journal) {
    this.#find = find;
    this.#journal = journal;
  }

  /** Names what is remembered of requests: it changes when that is forgotten. */
  get memoryName(): Promise<string> {
    return this.#journal.name;
  }

  /**
   * Answers by `send`, once. Where no connection is there, or no worker any
   * more, the hub asks again.
   */
  async run(request: RequestFrame, send: (text: string) => void): Promise<void> {
    const { id } = request;
    // It comes again after a reconnect: its answer will find the new connection.
    if (this.#running.has(id)) return;
    const abort = new AbortController();
    this.#running.set(id, abort);
    const deadline = setTimeout(
      () => abort.abort(new Refused("timeout", TIMEOUT)),
      request.deadlineMs,
    );
    try {
      const { text, note } = await this.#answer(request, abort.signal);
      // In one go with the note: it is there if the sending fails.
      send(text);
      note?.();
    } catch (error) {
      if (!isOfDyingWorker(error)) send(refuse(id, error));
    } finally {
      clearTimeout(deadline);
      this.#running.delete(id);
    }
  }

  cancel(id: string): void {
    this.#running.get(id)?.abort(new Refused("cancelled", "The request was cancelled."));
  }

  /** The user said stop. */
  stopAll(): void {
    for (const abort of this.#running.values()) abort.abort(stoppedByUser());
  }

  /** Nobody is left to answer: stop what has not happened yet. */
  cancelAll(): void {
    for (const id of this.#running.keys()) this.cancel(id);
  }

  async #answer(request: RequestFrame, signal: AbortSignal): Promise<Answer> {
    const { id } = request;
    if (!request.once) return { text: await this.#perform(request, signal, NOT_TRACKED) };
    const progress = await this.#journal.recall(id);
    if (progress?.state === "begun") throw new Refused("outcome_unknown", UNKNOWN);
    if (progress?.state === "done") {
      if (progress.reply !== undefined) return { text: progress.reply };
      throw new Refused("outcome_unknown", DONE_UNTOLD);
    }
    let hasBegun = progress !== undefined;
    const once: Once = {
      before: progress?.results ?? [],
      begin: async () => {
        if (hasBegun) return;
        hasBegun = true;
        await this.#journal.begin(id);
      },
      noteActed: (results) => this.#journal.noteActed(id, results),
    };
    const text = await this.#perform(request, signal, once).catch((error) => {
      if (isOfDyingWorker(error)) throw error;
      return refuse(id, error);
    });
    return hasBegun ? { text, note: () => this.#journal.noteDone(id, text) } : { text };
  }

  async #perform(request: RequestFrame, signal: AbortSignal, once: Once): Promise<string> {
    const capability = this.#find(request.type);
    if (!capability) {
      throw new Refused("unknown_message", "This extension has no such capability.", {
        by: request.type,
      });
    }
    const startedAt = Date.now();
    const context = { signal, startedAt, deadline: startedAt + request.deadlineMs, once };
    const interrupted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    if (!capability.tracksItself) await once.begin();
    // What was called off while it waited is not begun.
    signal.throwIfAborted();
    const result = await Promise.race([capability.run(request.payload, context), interrupted]);
    return answer(request.id, result);
  }
}

interface Answer {
  text: string;
  /** Remembers it. */
  note?: () => void;
}

/** For what may simply run again. */
const NOT_TRACKED: Once = { before: [], begin: async () => {}, noteActed: () => {} };

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

/** It can do nothing more, not even know what became of what it did last. */
function isOfDyingWorker(error: unknown): boolean {
  const explained = explainChromeError(error);
  return explained instanceof Refused && explained.code === "link_lost";
}

function refuse(id: string, error: unknown): string {
  return JSON.stringify({ id, ...refusalOf(explainChromeError(error)) });
}
