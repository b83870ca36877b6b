// A key that goes wherever the focus is: nobody said to which element, so none was made
// ready for it. The documents that have the focus are instead: what the key begins is
// watched, held back and heard of there as after a press.
import type { FrameResult } from "../protocol/generated";
import { listenForAsking } from "./asking";
import { callPage } from "./page-calls";
import { notePreparation } from "./prepared";

/** The documents that the key goes through, the innermost last. */
export async function expectKey(tabId: number): Promise<FrameResult[]> {
  const at = Date.now();
  // Where nobody can look, and where a dialog is open, the key goes all the same.
  const frames = await callPage(tabId, "expectKey", null, "all").catch(() => []);
  const focused = frames.filter(({ value }) => value === true);
  const documentIds = focused.map(({ documentId }) => documentId).reverse();
  if (documentIds.length === 0) return [];
  for (const documentId of documentIds) listenForAsking(tabId, documentId);
  notePreparation(tabId, { at, documentIds, inward: [0, 0], presses: false });
  return focused;
}
