// How the link's state is said to the user, in the popup and in the options.
import type { LinkState } from "./worker-channel";

export const STATE_WORDS: Record<LinkState, string> = {
  disconnected: "Disconnected",
  connecting: "Connecting…",
  connected: "Connected",
};

/** Puts a sentence into an element, with what stands in `backticks` as code. */
export function showSentence(element: Element, sentence: string): void {
  const parts = sentence.split("`").map((part, index) => {
    if (index % 2 === 0) return part;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
  element.replaceChildren(...parts);
}

/** An element of the page's own markup, which therefore exists. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page has no ${kind.name} "${id}".`);
  return element;
}
