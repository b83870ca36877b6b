// `insert`: makes a field ready and puts text into it: in the page where it is a
// plain field, which saves a trip to the debugger, and as real input elsewhere.
import type { ReadyForText, TextArgs } from "../../page/focus";
import type { InsertParams } from "../../protocol/generated";
import { refusedFrom } from "../../protocol/refused";
import { attachIfPossible, isDebugged } from "../debugger";
import { noteInput, noteScript } from "../input";
import { callPage } from "../page-calls";
import { expectRequests } from "../page-requests";
import { refuseUnreachableTab } from "../reachable";
import { insertText } from "../real-input";
import { defineCapability } from "./capability";
import { aimPointer } from "./script";

export const insert = defineCapability<InsertParams>({
  name: "insert",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: [],
  async run({ tabId, documentId, field, text }): Promise<object> {
    await refuseUnreachableTab(tabId);
    if (!isDebugged(tabId)) await attachIfPossible(tabId);
    await expectRequests(tabId);
    const at = Date.now();
    // Without the debugger a page is told of the focus by synthetic events only.
    const args: TextArgs = isDebugged(tabId) ? { ...field, text } : field;
    const [frame] = await callPage(tabId, "focusForText", args, { documents: [documentId] });
    if (frame?.refusal) throw refusedFrom(frame.refusal);
    if (!frame) return {};
    const aiming = aimPointer(tabId, frame, "focus", at);
    if ((frame.value as ReadyForText).typed) {
      noteInput(tabId);
      noteScript(tabId);
      // It is done, whatever the page made of it in the frames around.
      await aiming.catch(() => {});
      return {};
    }
    await aiming;
    await insertText(tabId, text);
    return {};
  },
});
