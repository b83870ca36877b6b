// Calls functions of the page script, in its isolated world, and puts the
// script there first where it is missing. A function answers with a value or a
// refusal; it never throws across the border, where Chrome would lose the error.

import { PAGE_SCRIPT, type PageReply } from "../page/reply";
import type { FrameResult, Frames } from "../protocol/generated";
import { unlessDialog } from "./dialogs";
import { explainErrorPage } from "./failures";
import { onNavigation } from "./navigation";

/** What an answer may still take that was on its way when its document was left. */
const LAST_WORDS_MS = 100;

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
  const work = () => call(tabId, functionName, argument, frames);
  const isOfDocuments = typeof frames === "object";
  return unlessDialog(tabId, isOfDocuments ? () => unlessLeft(tabId, work) : work).catch(
    (error) => {
      throw explainErrorPage(tabId, error);
    },
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
