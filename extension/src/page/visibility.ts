// Whether a person can see one element, for when there is no walk to ask. The
// walk judges by the same rules, step by step on its way down.
import { boxOfArea, isArea } from "./areas";
import { page, parentOf, shadowRootOf } from "./clobbered";
import { isRestyledInput } from "./controls";

/** Anything up to this size is there for screen readers only. */
export const SPECK_PX = 1;

export function isVisible(element: Element): boolean {
  if (isArea(element)) return boxOfArea(element) !== undefined;
  const opacityProperty = !isRestyledInput(element);
  const { display, visibility } = getComputedStyle(element);
  const isBoxless = display === "contents";
  if (isBoxless && visibility !== "visible") return false;
  const drawn = isBoxless ? boxAround(element) : element;
  if (!drawn.checkVisibility({ visibilityProperty: !isBoxless, opacityProperty })) return false;
  if (hasSize(element.getBoundingClientRect()) || sizedDescendant(element)) return true;
  return isBoxless && hasSize(contentRect(element));
}

/** The nearest element around it that has a box. */
export function boxAround(element: Element): Element {
  let around = parentOf(element) ?? element;
  while (getComputedStyle(around).display === "contents") {
    const outer = parentOf(around);
    if (!outer) break;
    around = outer;
  }
  return around;
}

/** Where the content of an element is that may have no box itself. */
export function contentRect(element: Element): DOMRect {
  return page.rangeOf(element).getBoundingClientRect();
}

export function hasSize({ width, height }: DOMRect): boolean {
  return width > SPECK_PX || height > SPECK_PX ? width > 0 && height > 0 : false;
}

/** An inline element around blocks or floats may have no box of its own. */
export function sizedDescendant(element: Element): Element | undefined {
  for (const descendant of element.querySelectorAll("*")) {
    if (hasSize(descendant.getBoundingClientRect())) return descendant;
  }
  return undefined;
}

/** The element that has the focus, through shadow roots. */
export function focusedElement(): Element | null {
  let focused = page.activeElement;
  while (focused) {
    const inner: Element | null = shadowRootOf(focused)?.activeElement ?? null;
    if (!inner) break;
    focused = inner;
  }
  return focused;
}
