// What is fixed beside the part of the page that is in view: headers that slid
// away, drawers that wait. No scrolling brings them in.
import { offsetParentOf } from "./clobbered";

export function isOutOfView({ left, top, right, bottom }: DOMRect): boolean {
  return right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight;
}

/** Of an element that is placed as fixed. */
export function isFixedBeside(element: Element, rect: DOMRect): boolean {
  // Out of a box without a size everything flows.
  if (rect.width === 0 || rect.height === 0 || !isOutOfView(rect)) return false;
  // In something that is transformed it is fixed to that, and scrolls with it.
  return !(element instanceof HTMLElement) || offsetParentOf(element) === null;
}
