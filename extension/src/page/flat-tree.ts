// The children of an element the way they are drawn: those of its shadow root,
// and in a slot what was put there.
import { firstChildOf, nextSiblingOf, shadowRootOf } from "./clobbered";

/** A copy, so that it stays whole when the page changes in between. */
export function drawnChildren(
  element: Element,
  tag: string,
  shadowRoot = shadowRootOf(element),
): Node[] {
  if (tag === "slot") {
    const assigned = (element as HTMLSlotElement).assignedNodes({ flatten: true });
    if (assigned.length > 0) return assigned;
  }
  return childrenOf(shadowRoot ?? element);
}

export function childrenOf(parent: Node): Node[] {
  const children: Node[] = [];
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) children.push(node);
  return children;
}

/** The first child of a tag, without a look at everything below. */
export function firstChildOfTag(parent: Element, tag: string): Element | undefined {
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) {
    if (node instanceof Element && node.localName === tag) return node;
  }
  return undefined;
}
