// The heading that an element stands under: the nearest one before it, in the
// order of the page. By it people tell alike buttons apart.
import { contains, parentNodeOf } from "./clobbered";
import { shownText } from "./query-text";
import { selectAll } from "./selectors";
import type { Sliced } from "./sliced";

const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading],legend";
const LONGEST_HEADING = 200;

/** For as long as the page stays as it is. */
export class Headings {
  readonly #known = new Map<Node, { heading: Element; text: string }[]>();

  /** Empty if there is none. */
  *above(element: Element): Sliced<string> {
    for (let node: Element = element; ; ) {
      const root = Node.prototype.getRootNode.call(node);
      for (const { heading, text } of (yield* this.#in(root)).toReversed()) {
        yield;
        if (isBefore(heading, node)) return text;
      }
      // In a shadow root without one of its own, those around its host count.
      if (!(root instanceof ShadowRoot)) return "";
      node = root.host;
    }
  }

  *#in(root: Node): Sliced<{ heading: Element; text: string }[]> {
    const known = this.#known.get(root);
    if (known) return known;
    const told: { heading: Element; text: string }[] = [];
    const isSearchable = root instanceof Document || root instanceof DocumentFragment;
    for (const heading of isSearchable ? selectAll(root, HEADINGS) : []) {
      const text = yield* shownText(heading, LONGEST_HEADING, false);
      if (text !== "") told.push({ heading, text });
    }
    this.#known.set(root, told);
    return told;
  }
}

/** What is in a heading does not stand under it. */
function isBefore(heading: Element, element: Element): boolean {
  if (heading === element || contains(heading, element) || parentNodeOf(heading) === null)
    return false;
  const place = Node.prototype.compareDocumentPosition.call(element, heading);
  return (place & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}
