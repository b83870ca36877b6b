// `fieldText`: what a field holds now.
import type { ElementArgs, FieldText } from "../protocol/generated";
import { editableOf } from "./field";
import { usableElement } from "./prepare";
import { isInput, tellText } from "./typed";

export function fieldText(args: ElementArgs): FieldText {
  return tellText(fieldOf(usableElement(args)));
}

/** A field of any type, even one that can't be typed in, or a textbox that is none. */
function fieldOf(element: Element): HTMLElement {
  if (isInput(element)) return element;
  const isTextbox = element instanceof HTMLElement && element.role === "textbox";
  return isTextbox ? element : editableOf(element);
}
