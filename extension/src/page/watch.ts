// Remembers when the DOM last changed. Started before an input, so that what
// the input does at once is not missed; stopped some time after anybody asked,
// since watching a busy page costs it something.
import type { FieldText } from "../protocol/generated";
import { forgetAsking, undecidedSoFar } from "./asking";
import { listen } from "./clobbered";
import { type Press, pressSoFar } from "./guard";
import { heldBackSoFar, holdBack, letGo } from "./outward";
import { holdPrinting, letPrint, wantedToPrint } from "./printing";
import { letPageGoOn } from "./slices";
import { isAnythingMoving } from "./stillness";
import { forgetText, isInput, textSoFar } from "./typed";

export interface DomChanges {
  /** Milliseconds since the epoch; 0 if nothing changed since the watch began. */
  lastChangeAt: number;
  /** When the page was looked at: its answer may come much later. */
  at: number;
  /** What became of the press that was prepared, if one was. */
  press?: Press;
  /** What the field holds that was made ready for typing, if one was. */
  typed?: FieldText;
  /** Something on the page moves. */
  moves?: true;
  /** An address that leads out of the browser, which was not followed. */
  heldBack?: string;
  /** What the page asked the user for, who has not answered yet. */
  asksFor?: string[];
  /** The page would have opened the print window, which was held back. */
  wantsPrint?: true;
}

const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true };
const STOP_AFTER_MS = 5_000;
/** It may go on for so long after it was last heard of. */
const SCROLLING_MS = 200;

let observer: MutationObserver | undefined;
let stopping: ReturnType<typeof setTimeout> | undefined;
let lastChangeAt = 0;
let changesSoFar = 0;
let lastScrollAt = 0;
let stopListening: (() => void) | undefined;

/** Starts the watch, on the document and on the shadow roots around an element. */
export function watchDom(element?: Element): void {
  holdOutside();
  forgetAsking();
  watchOn(element);
}

/** Keeps the page from what would have the browser ask its user, until the watch ends. */
export function holdOutside(): void {
  holdBack();
  holdPrinting();
}

function watchOn(element?: Element): void {
  observer ??= new MutationObserver(noteChange);
  observer.observe(document, WATCHED);
  stopListening ??= listen(document, "scroll", noteScroll, { capture: true, passive: true });
  let root = element?.getRootNode();
  while (root instanceof ShadowRoot) {
    observer.observe(root, WATCHED);
    root = root.host.getRootNode();
  }
  clearTimeout(stopping);
  stopping = setTimeout(stopWatching, STOP_AFTER_MS);
}

/**
 * A page that changes gets its turn first: on a busy machine nothing changes for a
 * while because nothing runs, and a question comes before what the page has waiting.
 */
export async function domChanges(): Promise<DomChanges> {
  watchOn();
  if (lastChangeAt > 0) await letPageGoOn();
  const press = pressSoFar();
  const typed = textSoFar();
  const heldBack = heldBackSoFar();
  const asksFor = await undecidedSoFar();
  const moves = isAnythingMoving() || Date.now() - lastScrollAt < SCROLLING_MS;
  return {
    lastChangeAt,
    at: Date.now(),
    ...(press && { press }),
    ...(typed && { typed }),
    ...(moves && { moves }),
    ...(heldBack !== undefined && { heldBack }),
    ...(asksFor.length > 0 && { asksFor }),
    ...(wantedToPrint() && { wantsPrint: true }),
  };
}

/** Two that are the same: the DOM was watched in between, and did not change. */
export function changeCount(): number {
  if (observer && observer.takeRecords().length > 0) noteChange();
  return changesSoFar;
}

function noteChange(): void {
  lastChangeAt = Date.now();
  changesSoFar += 1;
}

function noteScroll({ target }: Event): void {
  // A field scrolls with its text.
  if (target instanceof Element && isInput(target)) return;
  lastScrollAt = Date.now();
}

function stopWatching(): void {
  observer?.disconnect();
  observer = undefined;
  lastChangeAt = 0;
  // Whatever comes now goes unseen.
  changesSoFar += 1;
  lastScrollAt = 0;
  stopListening?.();
  stopListening = undefined;
  letGo();
  letPrint();
  forgetText();
}
