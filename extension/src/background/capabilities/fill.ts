// `fill`: the fields of a form in one round trip. All are checked before any is
// touched; each is filled by the page script, with real input where it asks for
// that; what they hold then is told. What to fill is decided elsewhere.
import type { CheckArgs } from "../../page/fill-check";
import type { FillProgress } from "../../page/fill-field";
import type { SubmitStep } from "../../page/fill-submit";
import type { Ready } from "../../page/prepare";
import type {
  FieldOrder,
  FieldOutcome,
  Filled,
  FillParams,
  FrameResult,
  Refusal,
} from "../../protocol/generated";
import { Refused, refusalOf, refusedFrom } from "../../protocol/refused";
import { explainChromeError } from "../chrome-errors";
import { attachIfPossible } from "../debugger";
import { noteInput, noteScript } from "../input";
import { callPage } from "../page-calls";
import { pause } from "../pause";
import { notePreparation } from "../prepared";
import { refuseUnreachableTab } from "../reachable";
import { insertText, pressAt, pressEnter, pressKeys } from "../real-input";
import { type CallContext, defineCapability } from "./capability";
import { aimPointer } from "./script";

/** Between two looks for an option that is to appear. */
const WAIT_MS = 30;
/** More than any list of options that is chosen one by one should need. */
const MOST_INPUTS = 60;

export const fill = defineCapability<FillParams>({
  name: "fill",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: ["pageFacts"],
  async run(params, context): Promise<Filled> {
    const { tabId, fields, submit } = params;
    await refuseUnreachableTab(tabId);
    await Promise.all([refuseUnfillable(params), attachIfPossible(tabId)]);
    const refusals = new Map<number, Refusal>();
    for (const indices of byDocument(fields)) await fillAll(params, indices, refusals, context);
    const outcomes = await outcomesOf(params, refusals);
    const last = fields.at(-1);
    const submitted = submit && last !== undefined && outcomes.every(({ took }) => took);
    if (submitted) await submitBy(params, last);
    return { fields: outcomes, submitted };
  },
});

/** Nothing is filled unless everything can be. */
async function refuseUnfillable(params: FillParams): Promise<void> {
  for (const indices of byDocument(params.fields)) {
    const frame = await askDocument<(Refusal | null)[]>(params, "checkFields", indices);
    frame.value.forEach((refusal, position) => {
      if (refusal) throw atField(refusal, indices[position] ?? 0, 0);
    });
  }
}

/** The fields of one document, one after the other. */
async function fillAll(
  params: FillParams,
  indices: readonly number[],
  refusals: Map<number, Refusal>,
  { signal, deadline }: CallContext,
): Promise<void> {
  const { tabId } = params;
  let place = { at: 0, inputs: 0, waitedMs: 0 };
  let since = Date.now();
  while (place.at < indices.length && Date.now() < deadline) {
    signal.throwIfAborted();
    try {
      const frame = await askDocument<FillProgress>(params, "fillFields", indices, place);
      noteInput(tabId);
      const { value } = frame;
      if (value.byScript) noteScript(tabId);
      const { at, step } = value;
      for (const [position, refusal] of value.refusals) {
        refusals.set(indices[position] ?? 0, refusal);
      }
      const inputs = at === place.at ? place.inputs : 0;
      if (step.do === "nothing" || inputs >= MOST_INPUTS) {
        place = { at: at + 1, inputs: 0, waitedMs: 0 };
      } else if (step.do === "wait") {
        if (at !== place.at) since = Date.now();
        await pause(WAIT_MS, signal);
        place = { at, inputs, waitedMs: Date.now() - since };
      } else {
        if (step.do === "insert") await insertText(tabId, step.text);
        else if (step.do === "keys") await pressKeys(tabId, step.key, step.times);
        else await press(tabId, frame, step);
        since = Date.now();
        place = { at, inputs: inputs + 1, waitedMs: 0 };
      }
    } catch (error) {
      const index = indices[place.at] ?? 0;
      throw atField(refusalOf(explainChromeError(error)), index, index);
    }
  }
}

async function outcomesOf(
  params: FillParams,
  refusals: ReadonlyMap<number, Refusal>,
): Promise<FieldOutcome[]> {
  const outcomes: FieldOutcome[] = [];
  for (const indices of byDocument(params.fields)) {
    const { value } = await askDocument<FieldOutcome[]>(params, "heldFields", indices);
    value.forEach((outcome, position) => {
      const index = indices[position] ?? 0;
      const refusal = outcome.took ? undefined : refusals.get(index);
      outcomes[index] = refusal ? { ...outcome, refusal } : outcome;
    });
  }
  return outcomes;
}

async function submitBy(
  { tabId, origin }: FillParams,
  { documentId, node }: FieldOrder,
): Promise<void> {
  const args = { node, origin, clear: false };
  const frame = await answered<SubmitStep>(tabId, "submitForm", args, documentId);
  if (frame.value.do === "press") await press(tabId, frame, frame.value);
  else await pressEnter(tabId);
}

/** Where the page made it ready, in whichever frame that is. */
async function press(tabId: number, frame: FrameResult, ready: Ready): Promise<void> {
  const { x, y } = await aimPointer(tabId, { ...frame, value: ready }, "press", Date.now());
  await pressAt(tabId, x, y);
}

/** Positions of the fields, those of one document together. */
function byDocument(fields: readonly FieldOrder[]): number[][] {
  const groups = new Map<string, number[]>();
  fields.forEach(({ documentId }, index) => {
    groups.set(documentId, [...(groups.get(documentId) ?? []), index]);
  });
  return [...groups.values()];
}

function askDocument<Value>(
  { tabId, origin, fields, choose }: FillParams,
  name: string,
  indices: readonly number[],
  more: Record<string, unknown> = {},
): Promise<FrameResult & { value: Value }> {
  const asked = indices.flatMap((index) => fields[index] ?? []);
  const args: CheckArgs = {
    origin,
    choose,
    fields: asked.map(({ node, values, files }) => ({ node, values, files })),
  };
  return answered(tabId, name, { ...args, ...more }, asked[0]?.documentId ?? "");
}

async function answered<Value>(
  tabId: number,
  name: string,
  args: unknown,
  documentId: string,
): Promise<FrameResult & { value: Value }> {
  const at = Date.now();
  const [frame] = await callPage(tabId, name, args, { documents: [documentId] });
  if (frame?.refusal) throw refusedFrom(frame.refusal);
  if (!frame) throw new Refused("stale_ref", "The page went away meanwhile.");
  notePreparation(tabId, { at, documentIds: [documentId], inward: [0, 0], presses: false });
  return frame as FrameResult & { value: Value };
}

/** Which field it was, and how many were filled before. */
function atField(refusal: Refusal, field: number, filled: number): Refused {
  const { code, error, details } = refusal;
  return new Refused(code ?? "capability_failed", error, { ...details, field, filled });
}
