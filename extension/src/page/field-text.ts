// `fieldText`: what a field holds now, so that the hub can tell whether what it
// typed arrived. A secret's text stays in the page.
import type { ElementArgs, FieldText } from "../protocol/generated";
import { editableOf } from "./field";
import { usableElement } from "./prepare";
import { isInSecret } from "./secrets";
import { focusedElement } from "./visibility";

/** What fields held before they were typed into. */
const before = new WeakMap<HTMLElement, string>();

export function fieldText(args: ElementArgs): FieldText {
  const field = fieldOf(usableElement(args));
  const focused = focusedElement() === field || field.matches(":focus-within");
  const text = textOf(field);
  const unchanged = before.get(field) === text;
  before.delete(field);
  const answer = { focused, ...(unchanged && { unchanged }) };
  return isInSecret(field) ? answer : { text, ...answer };
}

/** To be compared with what it holds after. */
export function noteText(field: HTMLElement): void {
  before.set(field, textOf(field));
}

function textOf(field: HTMLElement): string {
  // biome-ignore lint/performance/useDomNodeTextContent: lines count, and what nobody sees does not.
  return isInput(field) ? field.value : field.innerText;
}

/** A field of any type, even one that can't be typed in, or a textbox that is none. */
function fieldOf(element: Element): HTMLElement {
  if (isInput(element)) return element;
  const isTextbox = element instanceof HTMLElement && element.role === "textbox";
  return isTextbox ? element : editableOf(element);
}

function isInput(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}
