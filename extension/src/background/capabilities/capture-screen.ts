// `capture_screen`: a picture of the tab that the user is looking at, made
// small before it travels.
import type { CapturedScreen, CaptureScreenParams } from "../../protocol/generated";
import { decodePicture, drawScaled, encodePicture } from "../picture";
import { whileVeiled } from "../veiling";
import { provenanceOf, watchedTab } from "../watched-tab";
import { defineCapability } from "./capability";

const MAX_WIDTH = 1600;
const QUALITY = 0.6;

export const captureScreen = defineCapability<Partial<CaptureScreenParams>>({
  name: "capture_screen",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: true,
  dataTypes: ["screenshot"],
  async run({ format = "jpeg" }): Promise<CapturedScreen> {
    const tab = await watchedTab();
    const original = await whileVeiled(tab.id, () =>
      chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" }),
    );
    const bitmap = await decodePicture(original.slice(original.indexOf(",") + 1), "image/png");
    const picture = await encodePicture(drawScaled(bitmap, MAX_WIDTH), format, QUALITY);
    bitmap.close();
    return {
      screenshot: picture.data,
      mimeType: picture.mimeType,
      provenance: {
        ...provenanceOf(tab, "screenshot"),
        compressed: true,
        originalSize: original.length,
        compressedSize: picture.data.length,
      },
    };
  },
});
