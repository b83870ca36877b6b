// Which controls in view have something else lying over their middle, so that a
// press there would go astray.
import { Flag } from "../protocol/generated";
import { parentOf } from "./clobbered";
import { elementAt, isPartOf } from "./hit";
import { isText } from "./lines";
import { numberOf } from "./numbers";
import type { PlacedControl } from "./telling";
import { hasSize } from "./visibility";

/** A sample, spread over all that is in view: whoever acts on a control looks at that one anyway. */
const SAMPLE = 12;
/** Where one of those is covered. By number, not by time: what is told may not depend on luck. */
const LARGER_SAMPLE = 48;

export function markCovered(placed: readonly PlacedControl[]): void {
  const controls = placed.filter(isStillThere);
  const sample = new Set(controls.filter(inSample(controls.length, SAMPLE)));
  if ([...sample].filter(markIfCovered).length === 0) return;
  const larger = controls.filter(inSample(controls.length, LARGER_SAMPLE));
  for (const control of larger) if (!sample.has(control)) markIfCovered(control);
}

/** What turned out to be no control may have given its place to another. */
function isStillThere({ lines, index, element }: PlacedControl): boolean {
  const node = lines.nodes[index];
  return node !== undefined && !isText(node) && node[5] === numberOf(element);
}

/** The first of each part, if all are parted into as many as there are in a sample. */
function inSample(
  length: number,
  parts: number,
): (control: PlacedControl, index: number) => boolean {
  const part = (index: number) => Math.floor((index * parts) / length);
  return (_, index) => part(index) !== part(index - 1);
}

/** Whether it is covered, which its node tells from now on. */
function markIfCovered({ lines, index, element }: PlacedControl): boolean {
  const node = lines.nodes[index];
  if (!node || isText(node) || !isCovered(element)) return false;
  node[4] = (node[4] ?? 0) | Flag.Covered;
  return true;
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
