// `extract_dom`: the text of the tab that the user is looking at.
import type { ExtractDomParams, ExtractedDom } from "../../protocol/generated";
import { Refused, refusedFrom } from "../../protocol/refused";
import { callPage } from "../page-calls";
import { provenanceOf, watchedTab } from "../watched-tab";
import { defineCapability } from "./capability";

export const extractDom = defineCapability<ExtractDomParams>({
  name: "extract_dom",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["domText"],
  async run({ tabId }): Promise<ExtractedDom> {
    const tab = await watchedTab(tabId);
    const [frame] = await callPage(tab.id, "pageText", null, "main");
    if (frame?.refusal) throw refusedFrom(frame.refusal);
    if (frame?.origin !== URL.parse(tab.url)?.origin) {
      throw new Refused("origin_changed", "The tab went to another site meanwhile. Call again.");
    }
    const domText = String(frame?.value ?? "");
    const provenance = { ...provenanceOf(tab, "domText"), charCount: domText.length };
    return { domText, provenance };
  },
});
