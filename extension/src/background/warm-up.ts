// Walks a page once as soon as it is there. The first walk of a document costs
// three times the later ones, since the browser has yet to compile the script;
// an agent that has just been told of the page isn't waiting for it yet.
import { callPage } from "./page-calls";

/** What it finds stays in the worker, and is forgotten at once. */
export function warmUp(tabId: number): void {
  callPage(tabId, "facts", null, "main").catch(() => {
    // A page that can't be walked now says so to whoever asks for it.
  });
}
