// Has the page script get ready as soon as a page is there. The first walks of a
// document cost three times the later ones, since the browser has yet to compile
// the script; whoever sent the tab there isn't waiting for a look yet.
import { onAnyNavigation } from "./navigation";
import { callPage } from "./page-calls";

/** Tabs that somebody works in. */
const worked = new Set<number>();

export function watchForWarmUps(): void {
  onAnyNavigation(({ tabId, kind }) => {
    if (kind === "domReady" && worked.has(tabId)) warmUp(tabId);
  });
  chrome.tabs.onRemoved.addListener((tabId) => worked.delete(tabId));
}

/** From now on every page that the tab comes to is made ready. */
export function expectWork(tabId: number): void {
  worked.add(tabId);
}

function warmUp(tabId: number): void {
  callPage(tabId, "warmUp", null, "all").catch(() => {
    // A page that can't be walked now says so to whoever asks for it.
  });
}
