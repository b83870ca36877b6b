// `script`: one function of the page script, in one frame or all of them.
import type { PageFunction, ScriptParams, ScriptResult } from "../../protocol/generated";
import { Refused, refusedFrom } from "../../protocol/refused";
import { callPage } from "../page-calls";
import { notePreparation } from "../prepared";
import { reachableTab } from "../reachable";
import { raiseRefFloor } from "../ref-floors";
import { defineCapability } from "./capability";

const FUNCTIONS: Record<PageFunction, { prepares: boolean }> = {
  facts: { prepares: false },
  prepare: { prepares: true },
  focusForText: { prepares: true },
  fieldText: { prepares: false },
  query: { prepares: false },
  locate: { prepares: false },
  metadata: { prepares: false },
  storage: { prepares: false },
  vitals: { prepares: false },
  pageTools: { prepares: false },
};

export const script = defineCapability<ScriptParams>({
  name: "script",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: ["pageFacts"],
  async run({ tabId, function: name, args, frames, refFloor }): Promise<ScriptResult> {
    if (!Object.hasOwn(FUNCTIONS, name)) {
      throw new Refused("invalid_arguments", "The page script has no such function.", {
        by: String(name),
      });
    }
    await reachableTab(tabId);
    if (refFloor !== undefined) raiseRefFloor(tabId, refFloor);
    const calledAt = Date.now();
    const results = await callPage(tabId, name, args, frames);
    const [first] = results;
    if (frames !== "all" && first?.refusal) throw refusedFrom(first.refusal);
    if (FUNCTIONS[name].prepares && first) {
      notePreparation(tabId, {
        at: calledAt,
        documentId: first.documentId,
        isMain: first.frameId === 0,
      });
    }
    return { frames: results };
  },
});
