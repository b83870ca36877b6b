// What the user does in a tab that is recorded, for which the user was asked: the
// page script listens in every frame, of each new page from its first moment on, and
// tells it here, where it waits in order for the hub. Each thing is kept with the
// site that it was done on: whether it may be told is the hub's to say.
import type { DEED_MESSAGE, DeedMessage } from "../page/user-deeds";
import type { FrameResult, UserDeed, UserDeedsArgs } from "../protocol/generated";
import { onNavigation } from "./navigation";
import { callPage } from "./page-calls";

/** The hub asks again at once, for as long as somebody records and may read the page. */
const ABANDONED_MS = 3_000;
/** A document that is left meanwhile never answers. */
const LAST_WORDS_MS = 1_000;

interface Noted {
  origin: string;
  deed: UserDeed;
}

const watches = new Map<number, UserWatch>();

/** Once, while the worker starts. */
export function watchUserDeeds(): void {
  chrome.runtime.onMessage.addListener((message: unknown, sender, respond) => {
    if (!isDeed(message) || sender.id !== chrome.runtime.id) return;
    const watch = watches.get(sender.tab?.id ?? chrome.tabs.TAB_ID_NONE);
    // Not by its address, which of a frame that is new may still be another.
    watch?.note({ origin: sender.origin ?? "null", deed: message.userDeed });
    // A frame that nobody follows any more listens no longer.
    respond(watch !== undefined);
  });
  // A frame of its own is another document that nobody listens in yet.
  chrome.webNavigation.onCommitted.addListener(({ tabId, documentId }) => {
    watches.get(tabId)?.listenIn(documentId);
  });
  chrome.tabs.onRemoved.addListener((tabId) => watches.get(tabId)?.stop());
}

/** The next that the user did, for as long as there is something to wait for. */
export async function userDeeds(
  tabId: number,
  { limitMs, begins, ends }: UserDeedsArgs,
  signal: AbortSignal,
): Promise<FrameResult[]> {
  // What an earlier recording left is no part of this one.
  if (begins) watches.get(tabId)?.stop();
  const watch = watches.get(tabId) ?? (await UserWatch.begin(tabId));
  return ends ? watch.end() : watch.next(limitMs, signal);
}

class UserWatch {
  #noted: Noted[] = [];
  #wake: (() => void) | undefined;
  #abandoned: ReturnType<typeof setTimeout> | undefined;
  readonly #stopFollowing: () => void;

  private constructor(readonly tabId: number) {
    this.#stopFollowing = onNavigation(tabId, ({ kind, url }) => {
      if (kind !== "committed" && kind !== "sameDocument") return;
      const origin = URL.parse(url)?.origin ?? "null";
      this.note({ origin, deed: { wentTo: { url } } });
    });
  }

  static async begin(tabId: number): Promise<UserWatch> {
    const watch = new UserWatch(tabId);
    watches.set(tabId, watch);
    try {
      await callPage(tabId, "userDeeds", { ends: false }, "all");
    } catch (error) {
      watch.stop();
      throw error;
    }
    return watch;
  }

  listenIn(documentId: string): void {
    // Where no script may run, nothing is recorded.
    callPage(this.tabId, "userDeeds", { ends: false }, { documents: [documentId] }).catch(() => {});
  }

  note(noted: Noted): void {
    this.#noted.push(noted);
    this.#wake?.();
  }

  async next(limitMs: number, signal: AbortSignal): Promise<FrameResult[]> {
    clearTimeout(this.#abandoned);
    if (this.#noted.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, limitMs);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    if (watches.get(this.tabId) === this) {
      clearTimeout(this.#abandoned);
      this.#abandoned = setTimeout(() => void this.end(), ABANDONED_MS);
    }
    // Whoever asked is gone, and what there is is for whoever asks next.
    return signal.aborted ? [] : this.#taken();
  }

  /** With what is not finished: a field that the user is still in. */
  async end(): Promise<FrameResult[]> {
    const words = callPage(this.tabId, "userDeeds", { ends: true }, "all").catch(() => []);
    const none = new Promise<FrameResult[]>((resolve) => setTimeout(resolve, LAST_WORDS_MS, []));
    const last = await Promise.race([words, none]);
    this.stop();
    for (const { origin = "null", value } of last) {
      for (const deed of (value ?? []) as UserDeed[]) this.note({ origin, deed });
    }
    return this.#taken();
  }

  stop(): void {
    clearTimeout(this.#abandoned);
    this.#stopFollowing();
    if (watches.get(this.tabId) === this) watches.delete(this.tabId);
    this.#wake?.();
  }

  /** As if each had come from a frame of its site, in their order. */
  #taken(): FrameResult[] {
    const noted = this.#noted;
    this.#noted = [];
    return noted.map(({ origin, deed }) => ({
      frameId: 1,
      documentId: "",
      origin,
      value: [deed],
    }));
  }
}

function isDeed(message: unknown): message is DeedMessage {
  const name: typeof DEED_MESSAGE = "userDeed";
  return typeof message === "object" && message !== null && name in message;
}
