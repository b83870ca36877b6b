// Who would get the event at a point.
import { isClobbered, matches, page, parentOf, shadowRootOf } from "./clobbered";
import { shownText } from "./query-text";
import { isWidget, roleOf } from "./roles";
import { finished } from "./sliced";
import { fold } from "./text";

const LONGEST_WORDS = 60;

/** Through shadow roots. */
export function elementAt(x: number, y: number): Element | null {
  const found = page.elementAt(x, y);
  return found && innermostAt(found, x, y);
}

/** An event in a closed shadow root only names the element that has the root. */
export function innermostAt(outermost: Element, x: number, y: number): Element {
  let found = outermost;
  for (;;) {
    const inner = shadowRootOf(found)?.elementFromPoint(x, y);
    if (!inner || inner === found) return found;
    found = inner;
  }
}

/** Whether an event that hits `hit` is one for `target`. */
export function isPartOf(hit: Element, target: Element): boolean {
  for (let element: Element | null = hit; element; element = parentOf(element)) {
    if (element === target) return true;
    // A click on a label is a click on its control.
    if (element instanceof HTMLLabelElement && element.control === target) return true;
  }
  // The label's own control may lie above it.
  if (target instanceof HTMLLabelElement && target.control === hit) return true;
  // A link or a cell around the target takes what the target lets through; a
  // control that lets it through gets nothing, whatever region it is in.
  if (!matches(hit, "a,button,label,summary,[role]") || !surrounds(hit, target)) return false;
  return isOperated(hit) || !isOperated(target);
}

/** A control by its tag or role, not a part of one. */
export function isOperated(element: Element): boolean {
  return matches(element, "a,button,label,summary") || isWidget(roleOf(element, element.localName));
}

/** Short enough for a sentence: `div#consent "We value your privacy"`. */
export function describeElement(element: Element): string {
  if (isClobbered(element)) return "form";
  const id = element.id ? `#${element.id}` : "";
  const [firstClass] = element.classList;
  const label = element.getAttribute("aria-label");
  const words = label
    ? fold(label).trim().slice(0, LONGEST_WORDS)
    : finished(shownText(element, LONGEST_WORDS, false));
  const tag = element.localName + (id || (firstClass ? `.${firstClass}` : ""));
  return words ? `${tag} "${words}"` : tag;
}

function surrounds(outer: Element, inner: Element): boolean {
  for (let element: Element | null = inner; element; element = parentOf(element)) {
    if (element === outer) return true;
  }
  return false;
}
