// Works in slices, so that a page is never blocked for long, and notices when it
// changes between them.
import { listen, page } from "./clobbered";

/** Most pages are done by then, also on a slow machine, and never have to pause. */
const FIRST_SLICE_MS = 80;
/** Long enough to waste little, short enough not to be felt. */
const SLICE_MS = 40;

const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };

export class Slices {
  readonly #sliceMs: number;
  #until: number;

  constructor(firstMs = FIRST_SLICE_MS, sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs;
    this.#until = performance.now() + firstMs;
  }

  readonly isOver = (): boolean => performance.now() >= this.#until;

  /** Between two pieces of work, if it is time. */
  async breathe(): Promise<void> {
    if (this.isOver()) await this.pause();
  }

  async pause(): Promise<void> {
    await letPageGoOn();
    // What the page changed is laid out now, which is no part of the slice's work.
    void page.documentElement?.clientWidth;
    this.#until = performance.now() + this.#sliceMs;
  }
}

/**
 * Gives the page its turn. Through a channel: timers are slow in background tabs,
 * and `scheduler.yield()` comes back before anything else of the page runs.
 */
export function letPageGoOn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Whether the page changed since somebody last asked. */
export class Changes {
  #changed = false;
  readonly #watched = new Map<Node, () => void>();
  readonly #note = () => {
    this.#changed = true;
  };
  #observer: MutationObserver | undefined;

  /** Also watches what was not watched so far. */
  watch(roots: readonly Node[]): void {
    this.#observer ??= new MutationObserver(this.#note);
    for (const root of [document, ...roots]) {
      if (this.#watched.has(root)) continue;
      this.#observer.observe(root, WATCHED);
      const options = { capture: true, passive: true };
      this.#watched.set(root, listen(root, "scroll", this.#note, options));
    }
  }

  take(): boolean {
    const changed = this.#changed || (this.#observer?.takeRecords() ?? []).length > 0;
    this.#changed = false;
    return changed;
  }

  stop(): void {
    this.#observer?.disconnect();
    for (const stopListening of this.#watched.values()) stopListening();
  }
}
