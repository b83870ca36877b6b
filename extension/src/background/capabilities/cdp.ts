// `cdp`: one debugger command, if it is on the list.
import { CDP_METHODS, type CdpParams } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { keepSwitchedOn, sendDebuggerCommand, switchedOn } from "../debugger";
import { answerByKey } from "../dialogs";
import { sendInput } from "../input";
import { expectRequests } from "../page-requests";
import { fitsToWindow } from "../viewport";
import { defineCapability } from "./capability";

/** They end with the debugger, so they are given anew whenever it attaches. */
const LASTING =
  /^Emulation\.(set(?!FocusEmulation)|clear)|^Network\.(enable|emulateNetworkConditions)$/;

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
    if (method.startsWith("Input.")) {
      await expectRequests(tabId);
      return sendInput(tabId, method, params ?? {});
    }
    if (method === "Emulation.clearDeviceMetricsOverride" && (await fitsToWindow(tabId))) return {};
    if (LASTING.test(method)) {
      await keepSwitchedOn(tabId, [{ method, params: withEarlier(tabId, method, params ?? {}) }]);
      return {};
    }
    return sendDebuggerCommand(tabId, method, params ?? {});
  },
});

interface MediaFeature {
  name: string;
}

/** The browser forgets every feature that isn't said again. None at all means none. */
function withEarlier(
  tabId: number,
  method: string,
  params: Record<string, unknown>,
): Record<string, unknown> {
  const said = params.features as MediaFeature[] | undefined;
  if (method !== "Emulation.setEmulatedMedia" || !said?.length) return params;
  const before = (switchedOn(tabId, method)?.features ?? []) as MediaFeature[];
  const isOther = ({ name }: MediaFeature) => said.every((feature) => feature.name !== name);
  return { ...params, features: [...before.filter(isOther), ...said] };
}
