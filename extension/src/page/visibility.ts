// Whether a person can see one element, for when there is no walk to ask. The
// walk judges by the same rules, step by step on its way down.
import { boxOfArea, isArea } from "./areas";
import { page, shadowRootOf } from "./clobbered";
import { isRestyledInput } from "./controls";

/** Anything up to this size is there for screen readers only. */
export const SPECK_PX = 1;

export function isVisible(element: Element): boolean {
  if (isArea(element)) return boxOfArea(element) !== undefined;
  const opacityProperty = !isRestyledInput(element);
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty })) return false;
  return hasSize(element.getBoundingClientRect()) || sizedDescendant(element) !== undefined;
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
