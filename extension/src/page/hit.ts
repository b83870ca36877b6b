// Who would get the event at a point.

/** Through open shadow roots. */
export function elementAt(x: number, y: number): Element | null {
  let found = document.elementFromPoint(x, y);
  while (found?.shadowRoot) {
    const inner: Element | null = found.shadowRoot.elementFromPoint(x, y);
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
  return hit.matches("a,button,label,summary,[role]") && surrounds(hit, target);
}

/** Short enough for a sentence: `div#consent "We value your privacy"`. */
export function describeElement(element: Element): string {
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

/** In the flattened tree. */
function parentOf(element: Element): Element | null {
  const parent = element.assignedSlot ?? element.parentNode;
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}
