// Frames that answer nothing while their page does: a frame of another site runs in a
// process of its own, which a script may keep busy for good. Whoever asks all frames at
// once would wait for that one, so it is found out which it is. The smallest question
// stays with it: once that is answered, the frame is silent no longer.
import { pause } from "./pause";

export interface Patience {
  /** Nobody asks which frame is silent before this. */
  beginMs: number;
  /** No answer to the smallest question for this long. */
  silenceMs: number;
}

/** A look tells what it lacks, and can be taken again. */
export const SHORT: Patience = { beginMs: 700, silenceMs: 800 };
/** As long as for a page: an answer that is given up may be of something that was begun. */
export const LONG: Patience = { beginMs: 3_000, silenceMs: 5_000 };
/** Before a press, which must come before the page changes. */
export const SHORTEST: Patience = { beginMs: 100, silenceMs: 300 };

export interface FrameDocument {
  frameId: number;
  documentId: string;
  url: string;
}

/** Documents that were asked the least and have not answered yet, by when they were asked. */
const waiting = new Map<string, { tabId: number; since: number }>();

export async function documentsOf(tabId: number): Promise<FrameDocument[]> {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const there = new Set(frames.map(({ documentId }) => documentId));
  // One that was left never answers.
  for (const [documentId, asked] of waiting) {
    if (asked.tabId === tabId && !there.has(documentId)) waiting.delete(documentId);
  }
  return frames;
}

/** Whether it is known already that a frame of a tab is silent. */
export function hasSilentFrame(tabId: number, patience: Patience): boolean {
  return [...waiting].some(([id, asked]) => asked.tabId === tabId && isSilent(id, patience));
}

export function isSilent(documentId: string, { silenceMs }: Patience): boolean {
  const asked = waiting.get(documentId);
  return asked !== undefined && Date.now() - asked.since >= silenceMs;
}

/**
 * Until a frame of a tab is silent, or one of these documents is or went away. That of a
 * page which itself is silent nobody can tell. False once nobody cares any longer.
 */
export async function untilFrameSilent(
  tabId: number,
  patience: Patience,
  stop: AbortSignal,
  meant?: string[],
): Promise<boolean> {
  for (;;) {
    await pause(patience.beginMs, stop);
    if (stop.aborted) return false;
    const frames = await documentsOf(tabId).catch(() => []);
    const documents = frames.map(({ documentId }) => documentId);
    const main = frames.find(({ frameId }) => frameId === 0)?.documentId;
    if (stop.aborted) return false;
    if (main === undefined) continue;
    if (meant?.some((documentId) => !documents.includes(documentId))) return true;
    const asked = meant ?? documents;
    await answersOf(tabId, [...new Set([main, ...asked])], patience, stop);
    if (stop.aborted) return false;
    if (isSilent(main, patience)) continue;
    if (asked.some((documentId) => isSilent(documentId, patience))) return true;
  }
}

/** Until all have answered the smallest question, or were silent for long enough. */
async function answersOf(
  tabId: number,
  documents: string[],
  patience: Patience,
  stop: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const answers = documents
    .filter((documentId) => !isSilent(documentId, patience))
    .map((documentId) => answerOf(tabId, documentId));
  // A little more, so that whoever looks at the clock then finds it has been as long.
  const late = pause(patience.silenceMs + 1, AbortSignal.any([stop, over.signal]));
  await Promise.race([Promise.all(answers), late]);
  over.abort();
}

async function answerOf(tabId: number, documentId: string): Promise<void> {
  const asked = waiting.get(documentId) ?? { tabId, since: Date.now() };
  waiting.set(documentId, asked);
  const target = { tabId, documentIds: [documentId] };
  // A refusal is an answer too.
  await chrome.scripting
    .executeScript({ target, injectImmediately: true, func: () => 0 })
    .catch(() => {});
  waiting.delete(documentId);
}
