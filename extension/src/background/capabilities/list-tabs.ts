// `list_tabs`: every open tab.
import type { ListedTabs } from "../../protocol/generated";
import { allTabFacts } from "../tab-facts";
import { defineCapability } from "./capability";

export const listTabs = defineCapability<unknown>({
  name: "list_tabs",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["tabMetadata"],
  async run(): Promise<ListedTabs> {
    const tabs = await allTabFacts();
    return {
      tabs,
      provenance: {
        capturedAt: new Date().toISOString(),
        dataTypes: ["tabMetadata"],
        tabCount: tabs.length,
      },
    };
  },
});
