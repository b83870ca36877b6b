// `cdp`: one debugger command, if it is on the list.
import { CDP_METHODS, type CdpParams } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { sendDebuggerCommand } from "../debugger";
import { answerByKey } from "../dialogs";
import { sendInput } from "../input";
import { defineCapability } from "./capability";

export const cdp = defineCapability<CdpParams>({
  name: "cdp",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: [],
  async run({ tabId, method, params }) {
    if (!CDP_METHODS.includes(method)) {
      throw new Refused("method_not_allowed", "The extension does not pass this method on.", {
        by: String(method),
      });
    }
    if (method === "Input.dispatchKeyEvent" && (await answerByKey(tabId, params ?? {}))) return {};
    if (method.startsWith("Input.")) return sendInput(tabId, method, params ?? {});
    return sendDebuggerCommand(tabId, method, params ?? {});
  },
});
