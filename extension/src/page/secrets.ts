// Which fields hold secrets, be they inputs or parts of the page that can be
// written in. Decided here, in the page, so that their values never leave it.
import { isCardNumber, LONGEST_CARD_NUMBER } from "./card-number";
import { closest, page, parentNodeOf } from "./clobbered";
import { isEditingHost } from "./controls";
import { isTextField } from "./field";
import { notePasswordField, standsForPasswordField, wasPasswordField } from "./password-memory";
import { isBoxOfSecret } from "./secrets-boxes";
import { wordsBeside } from "./secrets-labels";
import { isMasked } from "./secrets-masked";
import { isLabelOfCode, isLabelOfSecret, isNameOfSecret } from "./secrets-words";

export { wordsOfName } from "./secrets-words";

const AUTOCOMPLETE = /(^|\s)(one-time-code|current-password|new-password|cc-[a-z-]+)(\s|$)/;

/** Whatever may hold a secret. */
export const FIELDS = "input,select,textarea,[contenteditable]";

const SHORTEST_REMEMBERED = 4;
/** What is shorter stands in other words by chance. */
const SHORTEST_HELD = 3;
const SHORTEST_CODE = 4;
const LONGEST_CODE = 8;
/** A `pattern` that lets nothing but digits pass. */
const DIGITS = /^\^?(\\d|\[0-9\]|\[\\d\])([*+]|\{\d+(,\d*)?\})?\$?$/;
/** Values of password fields: a page may show one in a field of its own making. */
const values = new Set<string>();

export function isSecret(element: Element): boolean {
  if (element instanceof HTMLInputElement) {
    if (element.type === "password") remember(element);
    // A page may turn one into a field of any other type.
    if (wasPasswordField(element)) return true;
    if (element.type === "hidden" && isKnownValue(element.value)) return true;
    if (isTextField(element) && holdsSecret(element)) return true;
  } else if (element instanceof HTMLTextAreaElement) {
    if (isCardNumber(element.value) || isKnownValue(element.value)) return true;
  } else if (!(element instanceof HTMLSelectElement)) {
    if (element instanceof HTMLFormElement || !isEditingHost(element)) return false;
    const written = shortlyWritten(element);
    if (isCardNumber(written) || isKnownValue(written)) return true;
  }
  const autocomplete = element.getAttribute("autocomplete");
  if (autocomplete && AUTOCOMPLETE.test(autocomplete.toLowerCase())) return true;
  const names = [autocomplete, element.getAttribute("name"), element.id];
  if (names.some((name) => name && isNameOfSecret(name))) return true;
  return isWrittenIn(element) && (isCalledSecret(element) || isKeptFromSight(element));
}

/** Whether it can be one at all, by its tag and whether an attribute says more. */
export function maybeSecret(tag: string, isMarked: boolean): boolean {
  return isMarked || tag === "input" || tag === "select" || tag === "textarea";
}

/** Whether it is such a field, or a part of what is written in one. */
export function isInSecret(element: Element): boolean {
  if (isSecret(element)) return true;
  let host = closest(element, "[contenteditable]");
  while (host && !isSecret(host)) {
    const around: Node | null = parentNodeOf(host);
    host = around instanceof Element ? closest(around, "[contenteditable]") : null;
  }
  return host !== null;
}

/** What a field holds now. */
export function heldBy(field: Element): string {
  const isInput =
    field instanceof HTMLInputElement ||
    field instanceof HTMLSelectElement ||
    field instanceof HTMLTextAreaElement;
  return isInput ? field.value : (field.textContent ?? "");
}

/** What a field says of itself; nothing where a secret one repeats what it holds. */
export function unlessHeld(field: Element, words: string): string {
  return words !== "" && isSecret(field) && tellsHeld(field, words) ? "" : words;
}

/** Whether words repeat what a field holds. A box of one letter is not called by that letter. */
export function tellsHeld(field: Element, words: string): boolean {
  const held = heldBy(field);
  return held !== "" && (words === held || (held.length >= SHORTEST_HELD && words.includes(held)));
}

function remember(field: HTMLInputElement): void {
  notePasswordField(field);
  if (field.value.length >= SHORTEST_REMEMBERED) values.add(field.value);
}

function holdsSecret(field: HTMLInputElement): boolean {
  const { value } = field;
  if (standsForPasswordField(field) || isKnownValue(value) || isCardNumber(value)) return true;
  return isBoxOfSecret(field);
}

function isKnownValue(value: string): boolean {
  return value !== "" && values.has(value);
}

/** Empty where it is longer: this is asked of whatever stands in a long text. */
function shortlyWritten(host: Element): string {
  let written = "";
  const texts = page.textsIn(host);
  while (texts.nextNode()) {
    written += (texts.currentNode as Text).data.trim();
    if (written.length > LONGEST_CARD_NUMBER) return "";
  }
  return written;
}

/** Not a box to tick or a list, whose label says what choosing it does. */
function isWrittenIn(field: Element): boolean {
  if (field instanceof HTMLSelectElement) return false;
  return !(field instanceof HTMLInputElement) || isTextField(field);
}

function isCalledSecret(field: Element): boolean {
  const words = wordsBeside(field);
  return words.some(isLabelOfSecret) || (takesShortNumber(field) && words.some(isLabelOfCode));
}

function takesShortNumber(field: Element): boolean {
  if (!(field instanceof HTMLInputElement)) return false;
  const { inputMode, pattern, maxLength } = field;
  if (maxLength < SHORTEST_CODE || maxLength > LONGEST_CODE) return false;
  return inputMode === "numeric" || DIGITS.test(pattern);
}

/** Remembered like a password field, since it is one in all but its type. */
function isKeptFromSight(field: Element): boolean {
  const isKept = isMasked(field);
  if (isKept && field instanceof HTMLInputElement) remember(field);
  return isKept;
}
