// What lies on top of the page: open modal dialogs and popovers, and dialogs
// that say they are modal. A person deals with them first, so they are told
// first.
import type { PageFacts } from "../protocol/generated";
import { elementAt, isPartOf } from "./hit";
import type { Lines } from "./lines";
import type { Seen, Sight } from "./sight";

/** One of them, and what is in it. */
export interface Layer {
  element: Element;
  lines: Lines;
}

export function isOnTop(seen: Seen, sight: Sight): boolean {
  const { element, tag, isMarked, isHidden, isBoxless } = seen;
  if (isHidden || isBoxless || !(isMarked || tag === "dialog")) return false;
  if (tag === "dialog" && element.matches(":modal")) return true;
  if (!isMarked) return false;
  if (element.hasAttribute("popover") && element.matches(":popover-open")) return true;
  return element.getAttribute("aria-modal") === "true" && !isBesideView(sight.rectOf(seen), sight);
}

/** Drawers wait beside what is in view; what only holds fixed parts has no size itself. */
function isBesideView(rect: DOMRect, sight: Sight): boolean {
  return rect.width > 0 && rect.height > 0 && !sight.isInView(rect);
}

/**
 * One list of nodes. Which was opened last the browser doesn't say; but one
 * whose middle nothing lies over is above one that is covered there.
 */
export function stacked(layers: Layer[], page: PageFacts["nodes"]): PageFacts["nodes"] {
  if (layers.length === 0) return page;
  const open = layers.map((layer) => ({ layer, isCovered: isCovered(layer.element) }));
  const inOrder = open.toSorted((one, other) => Number(one.isCovered) - Number(other.isCovered));
  const nodes: PageFacts["nodes"] = [];
  for (const part of [...inOrder.map(({ layer }) => layer.lines.nodes), page]) {
    const offset = nodes.length;
    for (const node of part) {
      if (node[0] >= 0) node[0] += offset;
      nodes.push(node);
    }
  }
  return nodes;
}

function isCovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = elementAt(left + width / 2, top + height / 2);
  return hit !== null && !isPartOf(hit, element);
}
