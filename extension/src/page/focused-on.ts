// `focusedOn`: whether text that is typed now would go anywhere.
import type { FocusedOn } from "../protocol/generated";
import { isTextField } from "./field";
import { isDisabled } from "./states";
import { focusedElement } from "./visibility";

export function focusedOn(): FocusedOn {
  const focused = focusedElement();
  if (focused instanceof HTMLIFrameElement || focused instanceof HTMLFrameElement) return "frame";
  return focused && takesText(focused) ? "text" : "other";
}

function takesText(element: Element): boolean {
  if (isTextField(element)) return !element.readOnly && !isDisabled(element);
  return element instanceof HTMLElement && element.isContentEditable;
}
