// Calls functions of the page script, in its isolated world, and puts the
// script there first where it is missing. A function answers with a value or a
// refusal; it never throws across the border, where Chrome would lose the error.
// All frames are asked in one call, which is the fastest; where one of them answers
// nothing, each by itself.

import { PAGE_SCRIPT, type PageReply } from "../page/reply";
import type { FrameResult, Frames } from "../protocol/generated";
import { Refused, refusalOf } from "../protocol/refused";
import { unlessDialog } from "./dialogs";
import { explainErrorPage } from "./failures";
import { onNavigation } from "./navigation";
import {
  documentsOf,
  type FrameDocument,
  hasSilentFrame,
  isSilent,
  LONG,
  type Patience,
  SHORT,
  SHORTEST,
  untilFrameSilent,
} from "./silent-frames";

/** What an answer may still take that was on its way when its document was left. */
const LAST_WORDS_MS = 100;

interface WithoutSilent {
  patience?: Patience;
  /** A second time it would answer something else. */
  once?: true;
  /** A frame that is silent is told all the same, and does it once it can. */
  later?: true;
}

/**
 * What can do without a frame that answers nothing. For all else every frame counts: a
 * secret in one must not be in a picture or in a text.
 */
const WITHOUT_SILENT: Partial<Record<string, WithoutSilent>> = {
  facts: {},
  aftermath: {},
  query: {},
  hasText: {},
  focusedOn: {},
  expectKey: {},
  warmUp: {},
  // A press that comes to a frame later finds the guard there before it.
  guardElsewhere: { patience: SHORTEST, later: true },
  watchDrop: { later: true },
  takeDrop: { once: true, later: true },
  // What is told when a recording ends is not waited for much longer.
  userDeeds: { patience: SHORTEST, once: true, later: true },
};

interface InjectionResult {
  frameId: number;
  documentId: string;
  result?: unknown;
}

/** The frames' answers, main frame first. */
export function callPage(
  tabId: number,
  functionName: string,
  argument: unknown,
  frames: Frames,
): Promise<FrameResult[]> {
  const work = () => {
    if (frames === "all") return callAll(tabId, functionName, argument);
    const asking = () => call(tabId, functionName, argument, frames);
    if (frames === "main") return asking();
    return unlessLeft(tabId, () => unlessMute(tabId, frames.documents, LONG, asking));
  };
  return unlessDialog(tabId, work).catch((error) => {
    throw explainErrorPage(tabId, error);
  });
}

async function callAll(
  tabId: number,
  functionName: string,
  argument: unknown,
): Promise<FrameResult[]> {
  const way = WITHOUT_SILENT[functionName];
  const patience = way ? (way.patience ?? SHORT) : LONG;
  if (!way || !(way.once || hasSilentFrame(tabId, patience))) {
    const done = new AbortController();
    const silence = untilFrameSilent(tabId, patience, done.signal).then(() => undefined);
    try {
      const asking = call(tabId, functionName, argument, "all");
      const answers = await Promise.race([asking, silence]);
      if (answers) return answers;
    } finally {
      done.abort();
    }
  }
  if (!way) throw silentFrame();
  const documents = await documentsOf(tabId);
  const each = documents.map((document) => {
    const asking = () => call(tabId, functionName, argument, { documents: [document.documentId] });
    return answerOf(tabId, document, way, asking);
  });
  const answers = (await Promise.all(each)).flat();
  return answers.toSorted((one, other) => Number(one.frameId !== 0) - Number(other.frameId !== 0));
}

/** Of one frame; none of one that is gone by now or lets nobody in. The main one must answer. */
async function answerOf(
  tabId: number,
  { frameId, documentId, url }: FrameDocument,
  { patience = SHORT, later }: WithoutSilent,
  asking: () => Promise<FrameResult[]>,
): Promise<FrameResult[]> {
  const isMain = frameId === 0;
  const origin = URL.parse(url)?.origin ?? "null";
  const silent = { frameId, documentId, origin, refusal: refusalOf(silentFrame()) };
  if (!isMain && isSilent(documentId, patience)) {
    if (later) asking().catch(() => {});
    return [silent];
  }
  try {
    return await unlessMute(tabId, [documentId], patience, asking);
  } catch (error) {
    if (isMain) throw error;
    return isSilent(documentId, patience) ? [silent] : [];
  }
}

/** Documents that answer nothing any more, or went away without a word. */
async function unlessMute<Result>(
  tabId: number,
  documents: string[],
  patience: Patience,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const mute = untilFrameSilent(tabId, patience, done.signal, documents).then(() => {
    throw documents.some((documentId) => isSilent(documentId, patience))
      ? silentFrame()
      : new Error("The frame was removed.");
  });
  mute.catch(() => {});
  try {
    return await Promise.race([work(), mute]);
  } finally {
    done.abort();
  }
}

function silentFrame(): Refused {
  return new Refused(
    "unresponsive",
    "A frame of the page answers nothing: a script keeps it busy. What was begun in it may or may not have taken effect. Wait and look again, use the rest of the page, or load it anew with browser_reload.",
  );
}

/** A document that is left in the middle of a call never answers, and Chrome says nothing of it. */
async function unlessLeft<Result>(tabId: number, work: () => Promise<Result>): Promise<Result> {
  const left = Promise.withResolvers<never>();
  left.promise.catch(() => {});
  const stop = onNavigation(tabId, ({ kind }) => {
    if (kind !== "committed") return;
    setTimeout(() => left.reject(new Error("The frame was removed.")), LAST_WORDS_MS);
  });
  try {
    return await Promise.race([work(), left.promise]);
  } finally {
    stop();
  }
}

async function call(
  tabId: number,
  functionName: string,
  argument: unknown,
  frames: Frames,
): Promise<FrameResult[]> {
  const first = await invoke(targetOf(tabId, frames), functionName, argument);
  const missing = first.filter(({ result }) => result === "missing");
  const there = first.filter(({ result }) => result !== "missing");
  if (missing.length === 0) return inOrder(there);
  const target = { tabId, documentIds: missing.map(({ documentId }) => documentId) };
  // A frame may go away between the calls; when several were asked, the others still count.
  const late = await put(target)
    .then(() => invoke(target, functionName, argument))
    .catch((error) => {
      if (frames !== "all") throw error;
      return retryEach(tabId, target.documentIds, functionName, argument);
    });
  return inOrder([...there, ...late]);
}

async function retryEach(
  tabId: number,
  documentIds: string[],
  functionName: string,
  argument: unknown,
): Promise<InjectionResult[]> {
  const each = documentIds.map(async (documentId) => {
    const target = { tabId, documentIds: [documentId] };
    await put(target);
    return invoke(target, functionName, argument);
  });
  const settled = await Promise.allSettled(each);
  return settled.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

function targetOf(tabId: number, frames: Frames): chrome.scripting.InjectionTarget {
  if (frames === "main") return { tabId };
  if (frames === "all") return { tabId, allFrames: true };
  return { tabId, documentIds: frames.documents };
}

async function invoke(
  target: chrome.scripting.InjectionTarget,
  functionName: string,
  argument: unknown,
): Promise<InjectionResult[]> {
  return chrome.scripting.executeScript({
    target,
    // Without it Chrome waits for `document_idle` in every frame, which on some
    // pages never comes.
    injectImmediately: true,
    func: callInPage,
    args: [PAGE_SCRIPT, functionName, argument ?? null],
  });
}

async function put(target: chrome.scripting.InjectionTarget): Promise<void> {
  await chrome.scripting.executeScript({ target, injectImmediately: true, files: ["/page.js"] });
}

/** Runs in the page: it must not refer to anything outside itself. */
function callInPage(script: string, functionName: string, argument: unknown): unknown {
  const page = (globalThis as Record<string, unknown>)[script] as
    | { call(functionName: string, argument: unknown): unknown }
    | undefined;
  return page ? page.call(functionName, argument) : "missing";
}

function inOrder(results: InjectionResult[]): FrameResult[] {
  return results
    .toSorted((one, other) => Number(one.frameId !== 0) - Number(other.frameId !== 0))
    .map(({ frameId, documentId, result }) => ({ frameId, documentId, ...readReply(result) }));
}

function readReply(result: unknown): Pick<FrameResult, "value" | "refusal" | "origin"> {
  const reply = result as PageReply | null | undefined;
  if (reply?.ok) return { value: reply.value ?? null, origin: reply.origin };
  if (reply?.ok === false) return { refusal: reply.refusal };
  return { refusal: { error: "The page went away meanwhile.", code: "stale_ref" } };
}
