// `capture_screen`: a picture of the tab that the user is looking at, made
// small before it travels.
import type { CapturedScreen, CaptureScreenParams } from "../../protocol/generated";
import { pause } from "../pause";
import { decodePicture, drawScaled, encodePicture } from "../picture";
import { whileVeiled } from "../veiling";
import { provenanceOf, watchedTab } from "../watched-tab";
import { defineCapability } from "./capability";

const MAX_WIDTH = 1600;
const QUALITY = 0.6;
const QUOTA_PAUSE_MS = 300;

export const captureScreen = defineCapability<Partial<CaptureScreenParams>>({
  name: "capture_screen",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: true,
  dataTypes: ["screenshot"],
  async run({ format = "jpeg", tabId }, { signal }): Promise<CapturedScreen> {
    const tab = await watchedTab(tabId);
    const original = await whileVeiled(tab.id, () => captureWindow(tab.windowId, signal));
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

/** Chrome takes two pictures a second and refuses more; the next second comes. */
async function captureWindow(windowId: number, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return await chrome.tabs.captureVisibleTab(windowId, { format: "png" });
    } catch (error) {
      if (!String(error).includes("MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND")) throw error;
      await pause(QUOTA_PAUSE_MS, signal);
      signal.throwIfAborted();
    }
  }
}
