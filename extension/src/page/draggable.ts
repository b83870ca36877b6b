// What begins a drag and drop of the browser's own when it is pressed and moved.
import { parentOf } from "./clobbered";

/** The element itself, or the nearest one around it. */
export function draggableAround(element: Element): HTMLElement | undefined {
  for (let around: Element | null = element; around; around = parentOf(around)) {
    if (around instanceof HTMLElement && around.draggable) return around;
  }
  return undefined;
}
