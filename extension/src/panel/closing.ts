// Has the window that was opened for asking closed, once nothing is asked any more.
import type { HelmState } from "../protocol/generated";

/** An agent often asks for the next thing at once. */
const LINGER_MS = 1_500;
/** The worker may be back with the same requests; a hub that is gone has none. */
const UNLINKED_MS = 30_000;

export class Closing {
  readonly #close: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitsFor: number | undefined;

  constructor(close: () => void) {
    this.#close = close;
  }

  show(helm: HelmState | undefined): void {
    const wait = helm?.requests.length ? undefined : helm ? LINGER_MS : UNLINKED_MS;
    if (wait === this.#waitsFor) return;
    this.#waitsFor = wait;
    clearTimeout(this.#timer);
    if (wait !== undefined) this.#timer = setTimeout(this.#close, wait);
  }
}
