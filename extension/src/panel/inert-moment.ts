// A press that was meant for something else must not give consent. What gives it
// is inert for a moment after it appears, changes or comes to stand elsewhere in the
// window, and after the window comes to the front: the press that fetches a window
// is none for what happens to be in it.

const INERT_MS = 500;

export class InertMoment {
  readonly #place: HTMLElement;
  readonly #changed: () => void;
  readonly #gone = new AbortController();
  readonly #sizes = new ResizeObserver(() => this.look());
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stoodAt = "";

  /** `changed` is told when the moment begins and when it is over. */
  constructor(place: HTMLElement, changed: () => void) {
    this.#place = place;
    this.#changed = changed;
    const { signal } = this.#gone;
    const begin = () => this.begin();
    window.addEventListener("focus", begin, { signal });
    document.addEventListener("visibilitychange", begin, { signal });
    window.addEventListener("scroll", () => this.look(), { signal, passive: true });
    this.#sizes.observe(document.body);
  }

  get isOver(): boolean {
    return this.#timer === undefined;
  }

  begin(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#changed();
    }, INERT_MS);
    this.#changed();
  }

  /** Begins again where the place was moved. */
  look(): void {
    const { left, top, width, height } = this.#place.getBoundingClientRect();
    const standsAt = [left, top, width, height].map(Math.round).join();
    if (standsAt === this.#stoodAt) return;
    this.#stoodAt = standsAt;
    this.begin();
  }

  end(): void {
    this.#gone.abort();
    this.#sizes.disconnect();
    clearTimeout(this.#timer);
  }
}
