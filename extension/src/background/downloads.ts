// Which downloads began in which tab. Chrome doesn't say, so it is told from the
// navigation that turned out to be a download, or from the page that it came from.
// Others of the user's downloads are nobody's business here.
import type { DownloadFacts } from "../protocol/generated";
import { navigationsSince } from "./navigation";

interface Begun {
  id: number;
  tabIds: number[];
  at: number;
}

const STORED = "downloads";
/** A navigation to what turned out to be a download is no longer ago. */
const RECENT_MS = 10_000;
const MOST_REMEMBERED = 200;

const begun: Begun[] = [];
const attributing = new Set<Promise<void>>();
const loaded = chrome.storage.session.get({ [STORED]: [] }).then((stored) => {
  begun.unshift(...(stored[STORED] as Begun[]));
});

export function watchDownloads(): void {
  chrome.downloads.onCreated.addListener((item) => {
    const work = attribute(item).catch(() => {
      // Whose it is stays unknown then, and nobody is told of it.
    });
    attributing.add(work);
    void work.then(() => attributing.delete(work));
  });
}

/** Downloads that a tab began from a moment on. */
export async function downloadsSince(tabId: number, since: number): Promise<DownloadFacts[]> {
  await Promise.all([loaded, ...attributing]);
  const ids = begun.filter(({ tabIds, at }) => at >= since && tabIds.includes(tabId));
  const found = await Promise.all(ids.map(({ id }) => chrome.downloads.search({ id })));
  return found.flat().map(factsOf);
}

async function attribute(item: chrome.downloads.DownloadItem): Promise<void> {
  const at = Date.now();
  await loaded;
  const tabs = await chrome.tabs.query({});
  const addresses = new Set([item.url, item.finalUrl]);
  const sources = tabs.filter(({ id }) =>
    navigationsSince(id ?? -1, at - RECENT_MS).some(({ url }) => addresses.has(url)),
  );
  const from = sources.length > 0 ? sources : tabs.filter((tab) => isFrom(tab, item));
  // A tab that was opened for the download may be closed with it; its opener remains.
  const tabIds = [...from.map(({ id }) => id ?? -1), ...openersOf(from)];
  begun.push({ id: item.id, tabIds, at });
  begun.splice(0, begun.length - MOST_REMEMBERED);
  await chrome.storage.session.set({ [STORED]: begun });
}

function openersOf(tabs: chrome.tabs.Tab[]): number[] {
  return tabs.flatMap(({ openerTabId }) => (openerTabId === undefined ? [] : [openerTabId]));
}

/** Its page is the one that the request names, or that made the data. */
function isFrom({ url }: chrome.tabs.Tab, { referrer, url: address }: DownloadItem): boolean {
  if (!url) return false;
  if (referrer) return url.split("#")[0] === referrer || referrer === `${originOf(url)}/`;
  return address.startsWith("blob:") && originOf(address) === originOf(url);
}

type DownloadItem = chrome.downloads.DownloadItem;

function originOf(address: string): string | undefined {
  return URL.parse(address)?.origin;
}

function factsOf(item: DownloadItem): DownloadFacts {
  return {
    id: item.id,
    url: item.finalUrl || item.url,
    path: item.filename,
    mimeType: item.mime,
    state: item.state as DownloadFacts["state"],
    received: item.bytesReceived,
    ...(item.totalBytes > 0 && { total: item.totalBytes }),
    ...(isDangerous(item) && { danger: item.danger }),
    ...(item.error && { error: item.error }),
    exists: item.exists,
  };
}

function isDangerous({ danger }: DownloadItem): boolean {
  return danger !== "safe" && danger !== "accepted";
}
