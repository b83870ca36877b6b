// `script`: one function of the page script, in one frame or all of them.
import type { PointInFrame } from "../../page/frame-path";
import type {
  ElementArgs,
  FrameResult,
  PageFunction,
  PointArgs,
  Prepared,
  Purpose,
  ScriptParams,
  ScriptResult,
  UserDeedsArgs,
} from "../../protocol/generated";
import { Refused, refusedFrom } from "../../protocol/refused";
import { listenForAsking } from "../asking";
import { drawAhead } from "../drawing";
import { holdFileChoosers } from "../file-choosers";
import { expectKey } from "../focus-ahead";
import { carryOut, locateInside } from "../frame-chain";
import { callPage } from "../page-calls";
import { expectFrameRequests, expectRequests } from "../page-requests";
import { notePreparation } from "../prepared";
import { refuseUnreachableTab } from "../reachable";
import { raiseRefFloor } from "../ref-floors";
import { userDeeds } from "../user-watch";
import { defineCapability } from "./capability";

/** `points`: answers with a point for the pointer. `begins`: what follows is settled. */
const FUNCTIONS: Record<PageFunction, { points?: true; begins?: true }> = {
  facts: {},
  prepare: { points: true, begins: true },
  focusForText: { points: true, begins: true },
  focusElement: { points: true, begins: true },
  expectKey: {},
  fieldText: {},
  focusedOn: {},
  query: {},
  describe: {},
  userDeeds: {},
  locate: {},
  scroll: { begins: true },
  metadata: {},
  storage: {},
  vitals: {},
  pageTools: {},
  stakes: {},
};

export const script = defineCapability<ScriptParams>({
  name: "script",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: ["pageFacts"],
  async run({ tabId, function: name, args, frames, refFloor }, { signal }): Promise<ScriptResult> {
    if (!Object.hasOwn(FUNCTIONS, name)) {
      throw new Refused("invalid_arguments", "The page script has no such function.", {
        by: String(name),
      });
    }
    await refuseUnreachableTab(tabId);
    if (refFloor !== undefined) raiseRefFloor(tabId, refFloor);
    if (name === "locate") return { frames: [await locateInside(tabId, args as PointArgs)] };
    if (name === "expectKey") return { frames: await expectKey(tabId) };
    if (name === "userDeeds") {
      return { frames: await userDeeds(tabId, args as UserDeedsArgs, signal) };
    }
    const at = Date.now();
    const { points, begins } = FUNCTIONS[name];
    // The page, too, may begin something with it: scrolled lists load more.
    if (begins) void expectRequests(tabId);
    const [documentId] = typeof frames === "object" ? frames.documents : [];
    if (points && documentId) {
      void holdFileChoosers(tabId);
      listenForAsking(tabId, documentId);
    }
    const results = await callPage(tabId, name, args, frames);
    const [first] = results;
    if (frames !== "all" && first?.refusal) throw refusedFrom(first.refusal);
    if (!first || !begins) return { frames: results };
    if (!points) {
      const documentIds = [first.documentId];
      notePreparation(tabId, { at, documentIds, inward: [0, 0], presses: false });
      return { frames: results };
    }
    const prepared = await aimPointer(tabId, first, purposeOf(name, args), at);
    return { frames: [{ ...first, value: prepared }] };
  },
});

/** From a point that a frame made ready at some time to the same one of the main frame. */
export async function aimPointer(
  tabId: number,
  frame: FrameResult,
  purpose: Purpose | "focus",
  at: number,
): Promise<Prepared> {
  const isInside = (frame.value as PointInFrame).holder !== undefined;
  if (isInside) await expectFrameRequests(tabId);
  const isPlainPress = purpose === "press" && !isInside;
  if (purpose !== "focus" && !isPlainPress) await drawAhead(tabId);
  const carried = purpose === "focus" ? "rest" : purpose;
  const { prepared, documentIds } = await carryOut(tabId, frame, carried);
  const presses = purpose === "press" || purpose === "grab";
  if (presses) await guardOtherFrames(tabId, frame);
  // Where a drag ends is looked up after it was prepared where it begins.
  const { x, y } = frame.value as Prepared;
  const inward: [number, number] = [x - prepared.x, y - prepared.y];
  if (purpose !== "drop") notePreparation(tabId, { at, documentIds, inward, presses });
  return prepared;
}

function purposeOf(name: PageFunction, args: unknown): Purpose | "focus" {
  if (name !== "prepare") return "focus";
  return (args as ElementArgs).purpose ?? "press";
}

/**
 * The page may push another frame under the pointer before the press comes; no
 * frame can see that of another, so each is told to stop a press.
 */
async function guardOtherFrames(tabId: number, { value }: FrameResult): Promise<void> {
  if ((value as { hasFrames?: true }).hasFrames)
    await callPage(tabId, "guardElsewhere", null, "all");
}
