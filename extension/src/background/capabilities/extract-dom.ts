// `extract_dom`: the text of the tab that the user is looking at.
import type { ExtractedDom } from "../../protocol/generated";
import { unlessDialog } from "../dialogs";
import { provenanceOf, watchedTab } from "../watched-tab";
import { defineCapability } from "./capability";

export const extractDom = defineCapability<unknown>({
  name: "extract_dom",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["domText"],
  async run(): Promise<ExtractedDom> {
    const tab = await watchedTab();
    const [frame] = await unlessDialog(tab.id, () =>
      chrome.scripting.executeScript({
        target: { tabId: tab.id },
        injectImmediately: true,
        // A page that is still empty has no body, and one of SVG never has.
        // biome-ignore lint/performance/useDomNodeTextContent: what nobody sees is not wanted.
        func: () => document.body?.innerText ?? document.documentElement?.textContent ?? "",
      }),
    );
    const domText = frame?.result ?? "";
    const provenance = { ...provenanceOf(tab, "domText"), charCount: domText.length };
    return { domText, provenance };
  },
});
