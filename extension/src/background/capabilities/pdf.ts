// `pdf`: the page on paper, through the debugger; the tab need not be in front.
import type { Pdf, PdfParams } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { sendDebuggerCommand } from "../debugger";
import { whileVeiled } from "../veiling";
import { defineCapability } from "./capability";

export const pdf = defineCapability<PdfParams>({
  name: "pdf",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["pdf"],
  async run({ tabId, landscape, background, scale }): Promise<Pdf> {
    try {
      const { data } = await whileVeiled(tabId, () =>
        sendDebuggerCommand<{ data: string }>(tabId, "Page.printToPDF", {
          landscape,
          printBackground: background,
          scale,
          transferMode: "ReturnAsBase64",
        }),
      );
      return { data };
    } catch (error) {
      throw explained(error);
    }
  },
});

function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refused) return error;
  if (/not (implemented|found|supported|available)/i.test(error.message)) {
    return new Refused(
      "unsupported_page",
      "This browser can't print pages to PDF by itself. Take a screenshot of the full page instead.",
      { by: error.message },
    );
  }
  if (/print/i.test(error.message)) {
    return new Refused(
      "unsupported_page",
      "The browser could not print this page. Take a screenshot of the full page instead.",
      { by: error.message },
    );
  }
  return error;
}
