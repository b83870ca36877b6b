// Follows what the user looks at and tells the hub of it: when another tab comes
// to the front, a page loads, or much of it changes; at most once in a while, and
// only what is another than before. A page's own words are read only while
// somebody follows them.
import type { ContextReport, PageContext } from "../../protocol/generated";
import { type Context, changesOf, isMeaningful } from "./changes";

/** After the last thing that happened; and at the latest after the first. */
const QUIET_MS = 500;
const LATEST_MS = 2_000;
/** A page that keeps changing without anything to tell is looked at ever more seldom. */
const LONGEST_PAUSE_MS = 8_000;

/** The tab that the user looks at. */
export interface FrontTab {
  tabId: number;
  windowId: number;
  url: string;
  title: string;
  favicon: string;
}

export interface Outlook {
  /** Undefined where it may not be followed. */
  front(): Promise<FrontTab | undefined>;
  read(tabId: number): Promise<PageContext>;
  /** Waits until much of the page changed; not for ever, and not beyond the page. */
  majorChange(tabId: number): Promise<"changed" | "quiet" | "gone">;
  send(report: ContextReport): void;
}

export class Tracker {
  readonly #outlook: Outlook;
  /** Nothing before there is a link. */
  #isLinked = false;
  #isFollowed = false;
  /** What the hub was told last. */
  #told: Context | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstAt: number | undefined;
  #pauseMs = QUIET_MS;
  /** Counts looks, so that one which was overtaken is dropped. */
  #look = 0;
  /** The tab in which changes are waited for. */
  #watched: number | undefined;

  constructor(outlook: Outlook) {
    this.#outlook = outlook;
  }

  /** A hub that knows nothing yet. */
  linked(): void {
    this.#isLinked = true;
    this.#told = undefined;
    this.noticed();
  }

  unlinked(): void {
    this.#isLinked = false;
    this.#isFollowed = false;
    this.#stop();
  }

  /** Whether somebody follows the page itself. The first one is told at once. */
  follow(isFollowed: boolean): void {
    const isNew = isFollowed && !this.#isFollowed;
    this.#isFollowed = isFollowed;
    if (isNew) void this.#tell();
  }

  /** Whether somebody follows the page itself. */
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  /** The user chose what may be followed. What may not is forgotten at once. */
  chosen(): void {
    void this.#tell();
  }

  /** Something happened that may have changed what the user looks at. */
  noticed(): void {
    this.#pauseMs = QUIET_MS;
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#isLinked) return;
    const now = Date.now();
    this.#firstAt ??= now;
    const left = this.#firstAt + Math.max(LATEST_MS, this.#pauseMs) - now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tell(), Math.max(0, Math.min(this.#pauseMs, left)));
  }

  async #tell(): Promise<void> {
    this.#stop();
    if (!this.#isLinked) return;
    const look = ++this.#look;
    const front = await this.#outlook.front();
    const context = front ? await this.#contextOf(front) : {};
    if (look !== this.#look || !this.#isLinked) return;
    this.#report(context);
    if (front) void this.#watch(front.tabId);
  }

  #report(context: Context): void {
    const before = this.#told;
    // Where nothing may be followed, there is nothing to say until something may.
    if (!before && Object.keys(context).length === 0) return;
    if (before && !isMeaningful(before, context)) {
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
      return;
    }
    this.#pauseMs = QUIET_MS;
    this.#told = context;
    const isWhole = before === undefined;
    this.#outlook.send({ isWhole, changes: changesOf(before ?? {}, context) });
  }

  async #contextOf({ tabId, windowId, url, title, favicon }: FrontTab): Promise<Context> {
    const session = { tabId, windowId };
    if (this.#isFollowed) {
      try {
        return { ...(await this.#outlook.read(tabId)), session };
      } catch {
        // It can't be read, or it is gone: what the browser knows of it is told.
      }
    }
    return { url, domain: new URL(url).hostname, title, favicon, session };
  }

  /** One wait at a time; whatever brings another page in front ends its use. */
  async #watch(tabId: number): Promise<void> {
    if (!this.#isFollowed || this.#watched === tabId) return;
    this.#watched = tabId;
    let heard: "changed" | "quiet" | "gone" = "quiet";
    while (heard === "quiet" && this.#watched === tabId && this.#isFollowed) {
      heard = await this.#outlook.majorChange(tabId);
    }
    if (this.#watched !== tabId) return;
    this.#watched = undefined;
    if (heard === "changed" && this.#isFollowed) this.#schedule();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firstAt = undefined;
  }
}
