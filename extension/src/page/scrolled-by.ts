// How far the boxes around an element are scrolled, all together. What lies above
// or left of the page because a box in it is scrolled is not gone: whoever
// scrolls the box back sees it again.
import { scrollOf } from "./clobbered";

export interface ScrolledBy {
  readonly left: number;
  readonly top: number;
}

export const NOWHERE: ScrolledBy = { left: 0, top: 0 };

/** For what is in an element that cuts off what flows out of it. */
export function scrolledInside(
  element: Element,
  tag: string,
  { overflowX, overflowY }: CSSStyleDeclaration,
  around: ScrolledBy,
): ScrolledBy {
  // Where only a script can scroll, nobody scrolls back.
  if (!isScrollable(overflowX) && !isScrollable(overflowY)) return around;
  // The page's own scrolling is not a box in the page.
  if (tag === "html" || (tag === "body" && (scrollX !== 0 || scrollY !== 0))) return around;
  const { left, top } = scrollOf(element);
  if (left <= 0 && top <= 0) return around;
  return { left: around.left + Math.max(0, left), top: around.top + Math.max(0, top) };
}

function isScrollable(overflow: string): boolean {
  return overflow === "auto" || overflow === "scroll";
}
