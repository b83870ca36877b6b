// What became of the requests that must not run twice. Kept in
// `storage.session`, which outlives the worker but not the browser: a request
// that comes again after a reconnect is answered from here, or refused where
// nobody can know. What isn't in here never began.

/** How far a request got, as far as is known. */
export type Progress =
  /** It may have changed something; a worker that knew more is gone. */
  | { state: "begun" }
  /** All that changes something is done; the rest may run again. */
  | { state: "acted"; results: unknown[] }
  /** The reply; left out if it was too large to keep. */
  | { state: "done"; reply?: string };

const PREFIX = "call:";
/** A hub asks again within seconds or not at all. Looked at when a worker starts. */
const KEPT_MS = 5 * 60_000;
const MOST = 64;
/** Forgetting is a call of its own, so it is done for several at once. */
const SLACK = 32;
const LARGEST_CHARACTERS = 64 * 1024;
/** Most requests are done by then, and that is all there is to note. */
const ACTED_MS = 15;

interface Entry {
  at: number;
  progress: Progress;
}

export class Journal {
  /** By id, oldest first: whether it is done. One that is not is never forgotten. */
  readonly #known = new Map<string, boolean>();
  /** Whether the last note was kept. */
  #keeps = false;
  readonly #acted = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #loaded: Promise<void>;
  readonly #name: Promise<string>;

  constructor() {
    this.#loaded = this.#load();
    this.#name = nameOfMemory();
  }

  /** Changes whenever everything in here is forgotten. */
  get name(): Promise<string> {
    return this.#name;
  }

  async recall(id: string): Promise<Progress | undefined> {
    await this.#loaded;
    if (!this.#known.has(id)) return undefined;
    const stored = await chrome.storage.session.get(PREFIX + id);
    // Known without a note: it could not be kept.
    return (stored[PREFIX + id] as Entry | undefined)?.progress ?? { state: "begun" };
  }

  /**
   * To be awaited before anything is changed. The browser takes what a worker asks
   * of it in turn, so that the note is there before what follows is done; only
   * where the last one could not be kept is this one waited for.
   */
  async begin(id: string): Promise<void> {
    const written = this.#write(id, { state: "begun" });
    if (!this.#keeps) await written;
  }

  noteActed(id: string, results: unknown[]): void {
    // One that was called off goes on behind its answer.
    if (this.#known.get(id) || JSON.stringify(results).length > LARGEST_CHARACTERS) return;
    const note = () => {
      this.#acted.delete(id);
      void this.#write(id, { state: "acted", results });
    };
    this.#acted.set(id, setTimeout(note, ACTED_MS));
  }

  noteDone(id: string, reply: string): void {
    clearTimeout(this.#acted.get(id));
    this.#acted.delete(id);
    const isKept = reply.length <= LARGEST_CHARACTERS;
    void this.#write(id, isKept ? { state: "done", reply } : { state: "done" });
  }

  #write(id: string, progress: Progress): Promise<void> {
    const entry: Entry = { at: Date.now(), progress };
    this.#known.delete(id);
    this.#known.set(id, progress.state === "done");
    const written = chrome.storage.session.set({ [PREFIX + id]: entry });
    const note = (isKept: boolean) => () => {
      this.#keeps = isKept;
    };
    written.then(note(true), note(false));
    if (this.#known.size > MOST + SLACK) this.#forgetOld();
    return written;
  }

  #forgetOld(): void {
    const done = [...this.#known].filter(([, isDone]) => isDone).map(([id]) => id);
    const surplus = done.slice(0, -MOST);
    if (surplus.length === 0) return;
    for (const id of surplus) this.#known.delete(id);
    void chrome.storage.session.remove(surplus.map((id) => PREFIX + id));
  }

  async #load(): Promise<void> {
    const stored = Object.entries(await chrome.storage.session.get(null));
    const calls = stored.filter(([key]) => key.startsWith(PREFIX)) as [string, Entry][];
    const since = Date.now() - KEPT_MS;
    const old = calls.filter(([, { at }]) => at < since).map(([key]) => key);
    if (old.length > 0) await chrome.storage.session.remove(old);
    const kept = calls.filter(([, { at }]) => at >= since);
    for (const [key, { progress }] of kept.toSorted(([, one], [, other]) => one.at - other.at)) {
      this.#known.set(key.slice(PREFIX.length), progress.state === "done");
    }
  }
}

async function nameOfMemory(): Promise<string> {
  const { memory } = await chrome.storage.session.get("memory");
  if (typeof memory === "string") return memory;
  const made = crypto.randomUUID();
  await chrome.storage.session.set({ memory: made });
  return made;
}
