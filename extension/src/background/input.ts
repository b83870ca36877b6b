// How an input reaches a page: through the debugger, whose events are a
// person's to the page, or, in a tab that it can't attach to, as synthetic
// events of the page script. Chosen here and nowhere else.
import { refusedFrom } from "../protocol/refused";
import { DebuggerUnavailable, sendDebuggerCommand } from "./debugger";
import { holdFileChoosers } from "./file-choosers";
import { callPage } from "./page-calls";
import { lastPreparation } from "./prepared";

/** The last synthetic input of a tab: the next one waits for it. */
const order = new Map<number, Promise<unknown>>();

/** Tabs with synthetic input that nobody has been told of yet. */
const untold = new Set<number>();

/** Tabs where the page script put something in itself, which nobody has been told of yet. */
const scripted = new Set<number>();

/** When the last input of a tab had reached its page. */
const inputAt = new Map<number, number>();

export function noteInput(tabId: number): void {
  inputAt.set(tabId, Date.now());
}

export function lastInputAt(tabId: number): number | undefined {
  return inputAt.get(tabId);
}

/** Whether input went to a tab as synthetic events since this was asked last. */
export function takeSynthetic(tabId: number): boolean {
  return untold.delete(tabId);
}

export function noteScript(tabId: number): void {
  scripted.add(tabId);
}

/** Whether the page script put something in itself since this was asked last. */
export function takeScripted(tabId: number): boolean {
  return scripted.delete(tabId);
}

export async function sendInput(
  tabId: number,
  method: string,
  params: Record<string, unknown>,
): Promise<object> {
  await holdFileChoosers(tabId);
  try {
    const result = await sendDebuggerCommand(tabId, method, params);
    // Of one that failed before anybody asked.
    untold.delete(tabId);
    noteInput(tabId);
    return result;
  } catch (error) {
    // Only attaching fails so: nothing of it has reached the page.
    if (!(error instanceof DebuggerUnavailable)) throw error;
  }
  const before = order.get(tabId) ?? Promise.resolve();
  const input = before.then(() => synthesize(tabId, method, params));
  const settled = input.catch(() => {});
  order.set(tabId, settled);
  void settled.then(() => order.get(tabId) === settled && order.delete(tabId));
  return input;
}

async function synthesize(tabId: number, method: string, params: object): Promise<object> {
  untold.add(tabId);
  const prepared = lastPreparation(tabId);
  const [documentId] = prepared?.documentIds ?? [];
  const frames = documentId ? { documents: [documentId] } : "main";
  const input = { method, params: inFrame(params, prepared?.inward ?? [0, 0]) };
  const [frame] = await callPage(tabId, "synthesize", input, frames);
  if (frame?.refusal) throw refusedFrom(frame.refusal);
  noteInput(tabId);
  return {};
}

/** Inputs are given in pixels of the main frame. */
function inFrame(params: object, [across, down]: readonly [number, number]): object {
  const { x, y } = params as { x?: number; y?: number };
  if (x === undefined || y === undefined) return params;
  return { ...params, x: x + across, y: y + down };
}
