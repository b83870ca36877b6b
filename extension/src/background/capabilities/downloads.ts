// `downloads`: what a tab has downloaded, at once or when all of it is there.
import type { DownloadFacts, DownloadList, DownloadsParams } from "../../protocol/generated";
import { downloadsSince } from "../downloads";
import { pause } from "../pause";
import { defineCapability } from "./capability";

/** Answer this long before the deadline, so that the answer is in time. */
const MARGIN_MS = 200;
/** Chrome tells of every end; this is for what it forgets to tell. */
const LOOK_AGAIN_MS = 1_000;

export const downloads = defineCapability<DownloadsParams>({
  name: "downloads",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["downloads"],
  async run({ tabId, since, wait }, { signal, deadline }): Promise<DownloadList> {
    const until = deadline - MARGIN_MS;
    for (;;) {
      signal.throwIfAborted();
      const changed = new AbortController();
      const notice = () => changed.abort();
      chrome.downloads.onChanged.addListener(notice);
      try {
        const list = await downloadsSince(tabId, since);
        const isDone = list.length > 0 && !list.some(isUnderWay);
        if (!wait || isDone || Date.now() >= until) return { downloads: list };
        const span = Math.min(LOOK_AGAIN_MS, until - Date.now());
        await pause(span, AbortSignal.any([signal, changed.signal]));
      } finally {
        chrome.downloads.onChanged.removeListener(notice);
      }
    }
  },
});

/** One that the browser holds back waits for the user, however long anybody else waits. */
function isUnderWay({ state, danger }: DownloadFacts): boolean {
  return state === "in_progress" && danger === undefined;
}
