// What a page loaded before anybody recorded: the browser's own list of it,
// without headers and bodies.
import type { NetworkRequest } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { tellAddress } from "./addresses";
import { unlessDialog } from "./dialogs";
import type { NetworkRequests } from "./network-requests";

/** One entry of the page's Resource Timing, as it comes out of the page. */
interface Timing {
  url: string;
  /** Why it was loaded: `navigation`, `script`, `img`, `xmlhttprequest`… */
  initiator: string;
  status: number;
  mime: string;
  /** -1 where it is not known, as of what another origin sent. */
  bytes: number;
  tookMs: number;
  at: number;
}

/** The two clocks agree within a fraction of this. */
const SAME_MS = 1_000;

const KINDS: Record<string, string> = {
  audio: "media",
  beacon: "ping",
  frame: "document",
  iframe: "document",
  img: "image",
  image: "image",
  input: "image",
  navigation: "document",
  fetch: "fetch",
  script: "script",
  track: "texttrack",
  video: "media",
  xmlhttprequest: "xhr",
};

/** For those that a style sheet or a `<link>` asked for. */
const KINDS_BY_ENDING: [RegExp, string][] = [
  [/\.css$/i, "stylesheet"],
  [/\.(woff2?|ttf|otf|eot)$/i, "font"],
  [/\.(png|jpe?g|gif|webp|avif|svg|ico)$/i, "image"],
  [/\.m?js$/i, "script"],
];

/** Of the main frame, without those that are or were recorded; oldest first. */
export async function earlierRequests(
  tabId: number,
  { all, began, keptSince }: NetworkRequests,
): Promise<NetworkRequest[]> {
  const timings = await readTimings(tabId);
  const isUnknown = (one: NetworkRequest) => {
    if (one.at < began) return true;
    // Also while the debugger had let go of the tab.
    return one.at >= keptSince && !all.some(({ told }) => isSame(one, told));
  };
  return timings
    .map(requestOf)
    .filter(isUnknown)
    .toSorted((one, other) => one.at - other.at);
}

async function readTimings(tabId: number): Promise<Timing[]> {
  try {
    const [frame] = await unlessDialog(tabId, () =>
      chrome.scripting.executeScript({
        target: { tabId },
        injectImmediately: true,
        func: timingsOfPage,
      }),
    );
    return frame?.result ?? [];
  } catch (error) {
    if (error instanceof Refused) throw error;
    // An empty tab or an error page: what was recorded there still counts.
    return [];
  }
}

/** Runs in the page: it must not refer to anything outside itself. */
function timingsOfPage(): Timing[] {
  const entries = [
    ...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource"),
  ] as (PerformanceResourceTiming & { contentType?: string })[];
  return entries.slice(-500).map((entry) => ({
    url: entry.name.slice(0, 2_500),
    initiator: entry.initiatorType,
    status: entry.responseStatus,
    mime: entry.contentType ?? "",
    bytes: entry.decodedBodySize || (entry.transferSize > 0 ? 0 : -1),
    tookMs: Math.round(entry.duration),
    at: performance.timeOrigin + entry.startTime,
  }));
}

function requestOf({ url, initiator, status, mime, bytes, tookMs, at }: Timing): NetworkRequest {
  return {
    id: 0,
    method: "",
    url: tellAddress(url),
    kind: kindOf(initiator, url),
    ...(status > 0 && { status }),
    ...(mime !== "" && { mime }),
    ...(bytes >= 0 && { bytes }),
    tookMs,
    at,
  };
}

function kindOf(initiator: string, url: string): string {
  const kind = KINDS[initiator];
  if (kind) return kind;
  const path = URL.parse(url)?.pathname ?? "";
  return KINDS_BY_ENDING.find(([ending]) => ending.test(path))?.[1] ?? "other";
}

function isSame(one: NetworkRequest, other: NetworkRequest): boolean {
  return one.url === other.url && Math.abs(one.at - other.at) <= SAME_MS;
}
