// `fieldText`: what a field holds now, so that the hub can tell whether what it
// typed arrived. A secret's text stays in the page.
import type { ElementArgs, FieldText } from "../protocol/generated";
import { editableOf } from "./field";
import { usableElement } from "./prepare";
import { isInSecret } from "./secrets";
import { focusedElement } from "./visibility";

export function fieldText(args: ElementArgs): FieldText {
  const field = fieldOf(usableElement(args));
  const focused = focusedElement() === field || field.matches(":focus-within");
  if (isInSecret(field)) return { focused };
  // biome-ignore lint/performance/useDomNodeTextContent: lines count, and what nobody sees does not.
  return { text: isInput(field) ? field.value : field.innerText, focused };
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
