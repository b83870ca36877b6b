// How far a navigation has come, judged from Chrome's events alone. Pure.
import type { NavigationWait } from "../protocol/generated";

export type NavigationEventKind =
  | "began"
  | "committed"
  | "domReady"
  | "loaded"
  | "sameDocument"
  | "failed";

export interface NavigationEvent {
  tabId: number;
  kind: NavigationEventKind;
  /** Milliseconds since the epoch. */
  at: number;
  url: string;
  /** The address before, where it is known. */
  from?: string;
  /** Chrome's name of the failure, as `net::ERR_…`. */
  error?: string;
}

/** Nobody waits for the `load` event longer than this after the DOM was ready. */
export const LOAD_PATIENCE_MS = 3_000;
/** An aborted navigation is a failure only if no other follows within this. */
export const ABORT_PATIENCE_MS = 300;

export type Standing =
  | {
      is: "pending";
      committed: boolean /** Look again then, if nothing happens. */;
      until?: number;
    }
  | { is: "done" /** False: not all of it, but nobody waits any longer. */; isComplete: boolean }
  | { is: "failed"; error: string };

const DONE: Standing = { is: "done", isComplete: true };

export class NavigationProgress {
  readonly #wait: NavigationWait;
  /** Whether what is waited for has begun; what comes before that is of the page before. */
  #isOurs: boolean;
  #underWay = 0;
  #headingFor: string | undefined;
  #committed = false;
  #domReadyAt: number | undefined;
  #loaded = false;
  #sameDocument = false;
  #abortedAt: number | undefined;
  #error: string | undefined;

  /** `fromBeginning`: a commit only counts if its beginning was seen too. */
  constructor(wait: NavigationWait, fromBeginning: boolean) {
    this.#wait = wait;
    this.#isOurs = !fromBeginning;
  }

  /** A new document, or a new place in the same one. */
  get hasCommitted(): boolean {
    return this.#committed || this.#sameDocument;
  }

  /** A new document, be it the browser's page about a failure. */
  get hasNewDocument(): boolean {
    return this.#committed || this.#error !== undefined;
  }

  /** What went wrong. An abort is not among it: a download leaves the page as it was. */
  get failure(): string | undefined {
    return this.#error;
  }

  get hasBegun(): boolean {
    return this.#underWay > 0 || this.hasCommitted || this.hasNewDocument;
  }

  /** The address that is on its way, if one is. */
  get headingFor(): string | undefined {
    return this.#underWay > 0 ? this.#headingFor : undefined;
  }

  feed(event: NavigationEvent): void {
    switch (event.kind) {
      case "began":
        this.#isOurs = true;
        this.#underWay += 1;
        this.#headingFor = event.url;
        this.#abortedAt = undefined;
        break;
      case "committed":
        if (!this.#isOurs) break;
        this.#underWay = Math.max(0, this.#underWay - 1);
        this.#committed = true;
        this.#error = undefined;
        this.#domReadyAt = undefined;
        this.#loaded = false;
        this.#abortedAt = undefined;
        break;
      case "sameDocument":
        this.#sameDocument = true;
        break;
      case "domReady":
        // Until something committed, these are of the page before.
        if (this.#committed) this.#domReadyAt = event.at;
        break;
      case "loaded":
        if (this.#committed) this.#loaded = true;
        break;
      case "failed":
        this.#fail(event);
    }
  }

  standing(now: number): Standing {
    if (this.#error !== undefined) return { is: "failed", error: this.#error };
    if (this.#abortedAt !== undefined) {
      const until = this.#abortedAt + ABORT_PATIENCE_MS;
      return now >= until
        ? { is: "failed", error: "net::ERR_ABORTED" }
        : { is: "pending", committed: this.#committed, until };
    }
    if (this.#sameDocument && this.#underWay === 0 && !this.#committed) return DONE;
    if (!this.#committed || this.#underWay > 0) {
      return { is: "pending", committed: this.#committed };
    }
    return this.#standingOfDocument(now);
  }

  #standingOfDocument(now: number): Standing {
    if (this.#loaded) return DONE;
    if (this.#domReadyAt === undefined) return { is: "pending", committed: true };
    if (this.#wait === "dom") return DONE;
    const until = this.#domReadyAt + LOAD_PATIENCE_MS;
    return now >= until
      ? { is: "done", isComplete: false }
      : { is: "pending", committed: true, until };
  }

  #fail({ error, at }: NavigationEvent): void {
    this.#underWay = Math.max(0, this.#underWay - 1);
    if (error !== "net::ERR_ABORTED") {
      this.#error = error ?? "net::ERR_FAILED";
      return;
    }
    // Aborted because a newer one replaced it, or after the page was there
    // already: no failure of what is waited for.
    if (this.#underWay === 0 && !this.#committed) this.#abortedAt = at;
  }
}
