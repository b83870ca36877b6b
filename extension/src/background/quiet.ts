// Waiting until a page's DOM is quiet. The clock is here and not in the page:
// Chrome slows the timers of tabs in the background down to one tick a second,
// and a page that goes away takes its timers along.
import type { Press } from "../page/guard";
import type { DomChanges } from "../page/watch";
import type { FieldText, Frames } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { callPage } from "./page-calls";
import { pause } from "./pause";

export interface QuietWait {
  /** Changes from then on count, in milliseconds since the epoch. */
  since: number;
  /** When what may begin something was done; now if left out. */
  from?: number;
  /** Nothing changed within this from then: quiet. */
  beginMs: number;
  /** This long after the last change: quiet. */
  quietMs: number;
  /** Give up then. */
  until: number;
  signal: AbortSignal;
  /** The document to look at; the main one if left out. */
  documentId?: string;
  /** A first look that is under way. */
  first?: Promise<DomChanges | undefined>;
}

export interface Quiet {
  isQuiet: boolean;
  /** Something changed since. */
  hasChanged: boolean;
  /** What became of the press that was prepared in the document, if one was. */
  press: Press | undefined;
  /** What the field holds that was made ready for typing in the document, if one was. */
  typed: FieldText | undefined;
  /** Something in the document moves. */
  moves: boolean;
  /** An address that leads out of the browser, which was not followed. */
  heldBack: string | undefined;
  /** What the page asked the user for, who has not answered yet. */
  asksFor: string[];
  /** The page would have opened the print window, which was held back. */
  wantsPrint: boolean;
  /** The document went away, or lets nobody look. */
  isGone: boolean;
}

export async function waitForQuiet(tabId: number, wait: QuietWait): Promise<Quiet> {
  const frames: Frames = wait.documentId ? { documents: [wait.documentId] } : "main";
  const startedAt = wait.from ?? Date.now();
  const look = () =>
    callPage(tabId, "changes", null, frames).then(
      ([frame]) => frame?.value as DomChanges | undefined,
    );
  let known: Omit<Quiet, "isQuiet" | "isGone"> = {
    hasChanged: false,
    press: undefined,
    typed: undefined,
    moves: false,
    heldBack: undefined,
    asksFor: [],
    wantsPrint: false,
  };
  let looking = wait.first;
  // The first look also sets the watch up where there is none yet.
  for (;;) {
    if (wait.signal.aborted) return { ...known, isQuiet: false, isGone: false };
    const changes = await changesIn(looking ?? look(), wait);
    looking = undefined;
    if (changes === "gone") return { ...known, isQuiet: false, isGone: true };
    if (changes === "late") return { ...known, isQuiet: false, isGone: false };
    const hasChanged = changes.lastChangeAt >= wait.since;
    const { press, typed, moves = false, heldBack, asksFor = [], wantsPrint = false } = changes;
    known = { hasChanged, press, typed, moves, heldBack, asksFor, wantsPrint };
    // A change of long ago says nothing of what the last input may still begin.
    const begunAt = startedAt + wait.beginMs;
    const quietAt = hasChanged ? Math.max(changes.lastChangeAt + wait.quietMs, begunAt) : begunAt;
    if (changes.at >= quietAt) return { ...known, isQuiet: true, isGone: false };
    const now = Date.now();
    if (now >= wait.until) return { ...known, isQuiet: false, isGone: false };
    await pause(Math.min(quietAt, wait.until) - now, wait.signal);
  }
}

/** A page that is busy answers no call: then the time limit does. */
async function changesIn(
  look: Promise<DomChanges | undefined>,
  { until, signal }: QuietWait,
): Promise<DomChanges | "gone" | "late"> {
  const looking = look.then(
    (changes) => changes ?? "gone",
    (error) => {
      if (error instanceof Refused && error.code === "dialog_open") throw error;
      return "gone" as const;
    },
  );
  const timer = new AbortController();
  const late = pause(until - Date.now(), AbortSignal.any([signal, timer.signal]));
  try {
    return await Promise.race([looking, late.then(() => "late" as const)]);
  } finally {
    timer.abort();
  }
}
