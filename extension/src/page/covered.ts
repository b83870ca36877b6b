// Which controls in view have something else lying over their middle, so that a
// press there would go astray.
import { Flag } from "../protocol/generated";
import { parentOf } from "./clobbered";
import { elementAt, isPartOf } from "./hit";
import { isText } from "./lines";
import { numberOf } from "./numbers";
import type { PlacedControl } from "./telling";
import { hasSize } from "./visibility";

/** A sample: whoever acts on a control looks at that one anyway. */
const MOST_CONTROLS = 40;
/** Asking the browser what lies where is slow on some pages. */
const LONGEST_MS = 5;
/** Asked whatever the time: on a page this small, what is told doesn't depend on luck. */
const LEAST_CONTROLS = 12;

export function markCovered(controls: readonly PlacedControl[]): void {
  const until = performance.now() + LONGEST_MS;
  for (const [count, { lines, index, element }] of controls.slice(0, MOST_CONTROLS).entries()) {
    if (count >= LEAST_CONTROLS && performance.now() > until) return;
    const node = lines.nodes[index];
    // What turned out to be no control may have given its place to another.
    if (!node || isText(node) || node[5] !== numberOf(element)) continue;
    if (isCovered(element)) node[4] = (node[4] ?? 0) | Flag.Covered;
  }
}

function isCovered(element: Element): boolean {
  const rect = [...element.getClientRects()].find(hasSize);
  if (!rect) return false;
  const x = middle(rect.left, rect.right, innerWidth);
  const y = middle(rect.top, rect.bottom, innerHeight);
  const hit = elementAt(x, y);
  if (!hit || isPartOf(hit, element)) return false;
  // What holds the element doesn't cover it: it only lets nothing through.
  return !isPartOf(element, hit) && !isCutOffAt(element, x, y);
}

/** Of the part that is in view. */
function middle(from: number, to: number, end: number): number {
  return (Math.max(0, from) + Math.min(end, to)) / 2;
}

/** Scrolled out of a box around it: nothing lies over it, it only has to be scrolled to. */
function isCutOffAt(element: Element, x: number, y: number): boolean {
  for (let outer = parentOf(element); outer; outer = parentOf(outer)) {
    if (getComputedStyle(outer).overflow === "visible") continue;
    const { left, top, right, bottom } = Element.prototype.getBoundingClientRect.call(outer);
    if (x < left || x > right || y < top || y > bottom) return true;
  }
  return false;
}
