// What a field holds, compared with what it held when it was made ready for
// typing: so that the hub can tell whether what it typed arrived. A secret's text
// stays in the page.
import type { FieldText } from "../protocol/generated";
import { isConnected } from "./clobbered";
import { isInSecret } from "./secrets";
import type { Surroundings } from "./spared";
import { focusedElement } from "./visibility";

/** The field that was last made ready for typing, what it held and what was around it then. */
let ready: Ready | undefined;

interface Ready {
  field: HTMLElement;
  held: string;
  isSecret: boolean;
  surroundings: Surroundings | undefined;
}

/** `wasSecret`: before it got the focus. */
export function noteText(
  field: HTMLElement,
  wasSecret = false,
  surroundings: Surroundings | undefined = undefined,
): void {
  const isSecret = wasSecret || isInSecret(field);
  ready = { field, held: textOf(field), isSecret, surroundings };
}

/** What was around the field that was made ready, where that is known. */
export function surroundingsSoFar(): Surroundings | undefined {
  return ready?.surroundings;
}

/** Something else is made ready, or nobody asks any more. */
export function forgetText(): void {
  ready = undefined;
}

/** Of the field that was made ready, if nothing else was since and it is still there. */
export function textSoFar(): FieldText | undefined {
  return ready && isConnected(ready.field) ? tellText(ready.field) : undefined;
}

export function tellText(field: HTMLElement): FieldText {
  const focused = focusedElement() === field || field.matches(":focus-within");
  const text = textOf(field);
  const before = ready?.field === field ? ready : undefined;
  const answer = { focused, ...(before?.held === text && { unchanged: true }) };
  // What made it one may be gone by now, as its label is.
  return before?.isSecret || isInSecret(field) ? answer : { text, ...answer };
}

export function isInput(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

function textOf(field: HTMLElement): string {
  // biome-ignore lint/performance/useDomNodeTextContent: lines count, and what nobody sees does not.
  return isInput(field) ? field.value : field.innerText;
}
