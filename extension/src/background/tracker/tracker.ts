// Follows what the user looks at and tells the hub of it: when another tab comes
// to the front, a page loads, or much of it changes; at most once in a while, and
// only what is another than before. A page's own words are read only while
// somebody follows them.
import type { ContextReport, PageContext, Tracking, Untold } from "../../protocol/generated";
import { type Context, changesOf, fitting, isMeaningful } from "./changes";

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
  /** Or why it may not be followed. */
  front(): Promise<FrontTab | Untold>;
  /** Fails where it can't be read, or may not be any more. */
  read(tabId: number): Promise<PageContext>;
  /** Waits until much of the page changed; not for ever, and not beyond the page. */
  majorChange(tabId: number): Promise<"changed" | "quiet" | "gone">;
  send(report: ContextReport): void;
}

/** A wait for changes of one page. */
interface Watch {
  tabId: number;
  url: string;
}

/** What there is to tell, or why there is nothing. */
interface Look {
  context: Context;
  untold?: Untold;
}

export class Tracker {
  readonly #outlook: Outlook;
  /** Counts links; 0 while there is none. */
  #link = 0;
  #links = 0;
  #isFollowed = false;
  /** What the hub was told last. */
  #told: Look | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstAt: number | undefined;
  #pauseMs = QUIET_MS;
  /** One look at a time, and another one after it if something happened meanwhile. */
  #isLooking = false;
  #looksAgain = false;
  #watch: Watch | undefined;

  constructor(outlook: Outlook) {
    this.#outlook = outlook;
  }

  /** A hub that knows nothing yet. */
  linked(): void {
    this.#links += 1;
    this.#link = this.#links;
    this.#told = undefined;
    this.noticed();
  }

  unlinked(): void {
    this.#link = 0;
    this.#isFollowed = false;
    this.#watch = undefined;
    this.#stop();
  }

  /**
   * Whether somebody follows the page itself. The first one is told at once; after the
   * last one nothing of the page stays.
   */
  follow({ isFollowed, startsOver }: Tracking): void {
    const isNews = isFollowed !== this.#isFollowed || startsOver;
    this.#isFollowed = isFollowed;
    if (!isFollowed) this.#watch = undefined;
    if (startsOver) this.#told = undefined;
    if (isNews) void this.#tell();
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

  /** Something did that pages do all the time. */
  noticedLittle(): void {
    this.#schedule();
  }

  #schedule(): void {
    if (this.#link === 0) return;
    const now = Date.now();
    this.#firstAt ??= now;
    const left = this.#firstAt + Math.max(LATEST_MS, this.#pauseMs) - now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tell(), Math.max(0, Math.min(this.#pauseMs, left)));
  }

  async #tell(): Promise<void> {
    this.#stop();
    this.#looksAgain = this.#isLooking;
    if (this.#isLooking || this.#link === 0) return;
    this.#isLooking = true;
    const [link, isFollowed] = [this.#link, this.#isFollowed];
    const look = await this.#look().finally(() => {
      this.#isLooking = false;
    });
    const isOutdated = link !== this.#link || isFollowed !== this.#isFollowed;
    if (!isOutdated) this.#report(look);
    if ((isOutdated || this.#looksAgain) && this.#link !== 0) await this.#tell();
  }

  async #look(): Promise<Look> {
    const front = await this.#outlook.front();
    if (typeof front === "string") {
      this.#watch = undefined;
      return { context: {}, untold: front };
    }
    // Before the page is read, or a change in between would be heard by nobody.
    void this.#wait(front);
    return { context: await this.#contextOf(front) };
  }

  #report(look: Look): void {
    const { context, untold } = look;
    const before = this.#told?.context;
    if (before && this.#told?.untold === untold && !isMeaningful(before, context)) {
      this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
      return;
    }
    this.#pauseMs = QUIET_MS;
    this.#told = look;
    // Another page is told whole: should a report be lost, no two pages become one.
    const base = before?.url === context.url ? before : undefined;
    const isWhole = base === undefined;
    const changes = changesOf(base ?? {}, context);
    this.#outlook.send({ isWhole, changes, ...(untold && { untold }) });
  }

  async #contextOf({ tabId, windowId, url, title, favicon }: FrontTab): Promise<Context> {
    const session = { tabId, windowId };
    if (this.#isFollowed) {
      try {
        return fitting({ ...(await this.#outlook.read(tabId)), session });
      } catch {
        // It can't be read, or it is gone: what the browser knows of it is told.
      }
    }
    return { url, domain: new URL(url).hostname, title, favicon, session };
  }

  /** One wait at a time; whatever brings another page in front ends its use. */
  async #wait({ tabId, url }: FrontTab): Promise<void> {
    if (!this.#isFollowed) return;
    if (this.#watch?.tabId === tabId && this.#watch.url === url) return;
    const watch = { tabId, url };
    this.#watch = watch;
    let heard: "changed" | "quiet" | "gone" = "quiet";
    while (heard === "quiet" && this.#watch === watch) {
      heard = await this.#outlook.majorChange(tabId);
    }
    if (this.#watch !== watch) return;
    this.#watch = undefined;
    // A page that shows a dialog or is busy answers nothing, and may again later.
    if (heard === "gone") this.#pauseMs = LONGEST_PAUSE_MS;
    this.#schedule();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firstAt = undefined;
  }
}
