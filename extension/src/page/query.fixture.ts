// For tests: asks `query` with what a test doesn't care about left at its usual.
import type { Match, Queried, QueryArgs, Selector } from "../protocol/generated";
import { show } from "./page.fixture";
import { queried } from "./query";
import { finished } from "./sliced";

const USUAL = { visibleOnly: false, limit: 20, textLetters: 200, styles: [] };

export function ask(selector: Selector, more: Partial<QueryArgs> = {}): Queried {
  return finished(queried({ selector, ...USUAL, ...more }));
}

/** The one element of some markup that a CSS selector finds. */
export function only(markup: string, css = "#x", more: Partial<QueryArgs> = {}): Match {
  show(markup);
  const { matches } = ask({ css }, more);
  const [match] = matches;
  if (!match || matches.length > 1) throw new Error(`There are ${matches.length} of ${css}.`);
  return match;
}

/** A host with a shadow root of this content, put into the page. */
export function showShadow(content: string, light = ""): ShadowRoot {
  show(`<div id=host>${light}</div>`);
  const root = document.querySelector("#host")?.attachShadow({ mode: "open" });
  if (!root) throw new Error("There is no host.");
  root.innerHTML = content;
  return root;
}
