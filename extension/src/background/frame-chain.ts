// Points across frames: from an element's frame out to the main one, and from
// the main one in to whatever is there. Every frame on the way is asked by
// itself, whichever site it is from and whichever process it runs in.
import type { FrameArgs, Holder, PointInFrame } from "../page/frame-path";
import type { InFrame } from "../page/locate";
import type { FrameResult, Located, PointArgs, Prepared, Purpose } from "../protocol/generated";
import { Refused, refusedFrom } from "../protocol/refused";
import { callPage } from "./page-calls";

export interface Carried {
  prepared: Prepared;
  /** The documents on the way, the innermost first. */
  documentIds: string[];
}

/** Out to the main frame; refused where something lies above on the way. */
export async function carryOut(
  tabId: number,
  from: FrameResult,
  purpose: Purpose,
): Promise<Carried> {
  const ready = from.value as PointInFrame & Prepared;
  const documentIds = [from.documentId];
  let { x, y, holder } = ready;
  while (holder) {
    const outer = await documentAround(documentIds.at(-1) as string);
    const args: FrameArgs = { x, y, holder, purpose };
    const [answer] = await callPage(tabId, "throughFrame", args, { documents: [outer] });
    if (!answer) throw goneMeanwhile();
    if (answer.refusal) throw refusedFrom(answer.refusal);
    ({ x, y, holder } = answer.value as PointInFrame);
    documentIds.push(outer);
  }
  const { draggable } = ready;
  return { prepared: { x, y, ...(draggable !== undefined && { draggable }) }, documentIds };
}

/** In to the innermost frame at a point of the main one. */
export async function locateInside(tabId: number, args: PointArgs): Promise<FrameResult> {
  let frames = await callPage(tabId, "locate", args, "main");
  for (;;) {
    const [answer] = frames;
    if (!answer) throw goneMeanwhile();
    if (answer.refusal) throw refusedFrom(answer.refusal);
    const here = answer.value as Located | InFrame;
    if (!("holder" in here)) return answer;
    const documentId = await documentOf(tabId, answer.frameId, here.holder);
    const inside: PointArgs = { point: [here.point.x, here.point.y] };
    frames = await callPage(tabId, "locate", inside, { documents: [documentId] });
  }
}

async function documentAround(documentId: string): Promise<string> {
  const frame = await chrome.webNavigation.getFrame({ documentId });
  if (!frame?.parentDocumentId) throw goneMeanwhile();
  return frame.parentDocumentId;
}

/** The document that a frame element of another one shows. */
async function documentOf(tabId: number, outerFrameId: number, holder: Holder): Promise<string> {
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const inner = frames.filter(({ parentFrameId }) => parentFrameId === outerFrameId);
  const documents = inner.map(({ documentId }) => documentId);
  const answers = await callPage(tabId, "holder", null, { documents });
  const same = answers.filter(({ value }) => (value as Holder | null)?.index === holder.index);
  const alike = same.filter(({ value }) => {
    const { width, height } = value as Holder;
    return width === holder.width && height === holder.height;
  });
  const [found, ...others] = same.length > 1 ? alike : same;
  if (found && others.length === 0) return found.documentId;
  throw new Refused(
    "not_allowed",
    "At that point is a frame that can't be told from others. Use the ref of what is in it.",
  );
}

function goneMeanwhile(): Refused {
  return new Refused("stale_ref", "The page went away meanwhile.");
}
