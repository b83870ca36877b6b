// `capture_screen`: a picture of the tab that the user is looking at, made
// small before it travels.
import type { CapturedScreen, CaptureScreenParams } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { pause } from "../pause";
import { decodePicture, drawScaled, encodePicture } from "../picture";
import { whileVeiled } from "../veiling";
import { provenanceOf, type WatchedTab, watchedTab } from "../watched-tab";
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
    const original = await whileVeiled(tab.id, () => captureTab(tab, signal));
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

/**
 * Of that tab and no other: the browser takes a picture of whatever is in front.
 * Chrome takes two pictures a second and refuses more; the next second comes.
 */
async function captureTab(tab: WatchedTab, signal: AbortSignal): Promise<string> {
  for (;;) {
    await refuseOther(tab);
    let hasChanged = false;
    const note = () => {
      hasChanged = true;
    };
    chrome.tabs.onActivated.addListener(note);
    try {
      const picture = await chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" });
      await refuseOther(tab);
      if (hasChanged) throw otherTab();
      return picture;
    } catch (error) {
      if (!String(error).includes("MAX_CAPTURE_VISIBLE_TAB_CALLS_PER_SECOND")) throw error;
      await pause(QUOTA_PAUSE_MS, signal);
      signal.throwIfAborted();
    } finally {
      chrome.tabs.onActivated.removeListener(note);
    }
  }
}

async function refuseOther({ id, url }: WatchedTab): Promise<void> {
  const now = await watchedTab(id);
  if (now.url !== url) throw otherTab();
}

function otherTab(): Refused {
  return new Refused("no_tab", "The user is looking at another page by now. Call again.");
}
