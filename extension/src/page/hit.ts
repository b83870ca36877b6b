// Who would get the event at a point.
import { isClobbered, matches, parentOf, shadowRootOf } from "./clobbered";

/** Through open shadow roots. */
export function elementAt(x: number, y: number): Element | null {
  let found = document.elementFromPoint(x, y);
  while (found) {
    const inner: Element | null = shadowRootOf(found)?.elementFromPoint(x, y) ?? null;
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

/** Whether an event that hits `hit` is one for `target`. */
export function isPartOf(hit: Element, target: Element): boolean {
  for (let element: Element | null = hit; element; element = parentOf(element)) {
    if (element === target) return true;
    // A click on a label is a click on its control.
    if (element instanceof HTMLLabelElement && element.control === target) return true;
  }
  // The label's own control may lie above it, and a link around the target
  // takes what the target lets through.
  if (target instanceof HTMLLabelElement && target.control === hit) return true;
  return matches(hit, "a,button,label,summary,[role]") && surrounds(hit, target);
}

/** Short enough for a sentence: `div#consent "We value your privacy"`. */
export function describeElement(element: Element): string {
  if (isClobbered(element)) return "form";
  const id = element.id ? `#${element.id}` : "";
  const [firstClass] = element.classList;
  const label = element.getAttribute("aria-label") ?? element.textContent ?? "";
  const words = label.replace(/\s+/g, " ").trim().slice(0, 60);
  const tag = element.localName + (id || (firstClass ? `.${firstClass}` : ""));
  return words ? `${tag} "${words}"` : tag;
}

function surrounds(outer: Element, inner: Element): boolean {
  for (let element: Element | null = inner; element; element = parentOf(element)) {
    if (element === outer) return true;
  }
  return false;
}
