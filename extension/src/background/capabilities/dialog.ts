// `dialog`: answers the dialog that a page shows.
import type { AnsweredDialog, DialogParams } from "../../protocol/generated";
import { sendDebuggerCommand } from "../debugger";
import { handleDialog, openDialog } from "../dialogs";
import { defineCapability } from "./capability";

export const dialog = defineCapability<DialogParams>({
  name: "dialog",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: [],
  async run({ tabId, accept, text }): Promise<AnsweredDialog> {
    // Where nobody listened yet there may be one all the same: asking the page tells.
    if (!openDialog(tabId)) await sendDebuggerCommand(tabId, "Page.getLayoutMetrics");
    return handleDialog(tabId, accept, text);
  },
});
