// Which fields hold secrets, be they inputs or parts of the page that can be
// written in. Decided here, in the page, so that their values never leave it.
import { closest, elementById, page, parentNodeOf, parentOf, selectIn } from "./clobbered";
import { isEditingHost } from "./controls";
import { isTextField } from "./field";
import { indexedLabels, type LabelsOf } from "./labels";
import { notePasswordField, standsForPasswordField, wasPasswordField } from "./password-memory";

const AUTOCOMPLETE = /(^|\s)(one-time-code|current-password|new-password|cc-[a-z-]+)(\s|$)/;

/**
 * Words in a field's name, id or `autocomplete`. The short ones count as whole
 * words only: a passenger, a compass and a spinner are no secrets.
 */
const WORDS =
  /passw(or)?d|\b(pass|pin|passphrase|passcode|pwd|(card|cc|credit card) ?(number|num|no)|cvc|cvv|csc|security code|otp|totp|one ?time ?(code|password|pin)|(2fa|mfa|sms|auth|verification) ?code|ssn|social security)\d?\b/;

/** Whatever may hold a secret. */
export const FIELDS = "input,select,textarea,[contenteditable]";

/** What people read beside a field. Fewer words: a pin code may be a place. */
const LABEL_WORDS =
  /passw(or)?d|passphrase|passcode|\b(cvc|cvv|csc|otp|totp|(one|single)[- ]time|(security|verification|authentication|sms|2fa|mfa) code|(credit |debit )?card (number|no)|social security)\b/;

const CALLED = ["aria-label", "placeholder", "aria-placeholder", "data-placeholder"];

/** So many boxes of one letter in a row are a code. */
const CODE_BOXES = 4;
const SHORTEST_REMEMBERED = 4;
/** What is shorter stands in other words by chance. */
const SHORTEST_HELD = 3;
/** With what stands between its digits. */
const LONGEST_CARD_NUMBER = 40;
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
  if ([autocomplete, element.getAttribute("name"), element.id].some(hasSecretName)) return true;
  return !(element instanceof HTMLSelectElement) && isCalledSecret(element);
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
  const { value, maxLength } = field;
  if (standsForPasswordField(field) || isKnownValue(value) || isCardNumber(value)) return true;
  return maxLength === 1 && isBoxOfCode(field);
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

/** Its label, or what stands in it as long as it is empty. */
function isCalledSecret(field: Element): boolean {
  const said = CALLED.map((name) => field.getAttribute(name) ?? "");
  if (said.some((words) => LABEL_WORDS.test(words.toLowerCase()))) return true;
  const labels = [...labelledBy(field), ...namedBy(field)].map((label) => label.textContent ?? "");
  return labels.some((words) => LABEL_WORDS.test(words.slice(0, 200).toLowerCase()));
}

function namedBy(field: Element): Element[] {
  const ids = field.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
  const root = ids.length > 0 ? field.getRootNode() : document;
  return ids.flatMap((id) => (id && elementById(root, id)) || []);
}

function labelledBy(field: Element): Element[] {
  if (!labels) {
    labels = indexedLabels();
    // Remembered until the script pauses, since so long nothing can change.
    queueMicrotask(() => {
      labels = undefined;
    });
  }
  return [...labels(field)];
}

let labels: LabelsOf | undefined;

/** The check digit of a card is right one time in ten by chance. */
function isCardNumber(value: string): boolean {
  if (value.length > LONGEST_CARD_NUMBER) return false;
  const digits = value.replace(/[\s-]/g, "");
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** A code is often typed into boxes of one letter each. */
function isBoxOfCode(field: Element): boolean {
  const around = parentOf(field);
  const outer = around && (parentOf(around) ?? around);
  if (!outer) return false;
  const boxes = holders.get(outer) ?? selectIn(outer, "input[maxlength='1']").length;
  if (holders.size === 0) queueMicrotask(() => holders.clear());
  holders.set(outer, boxes);
  return boxes >= CODE_BOXES;
}

/** How many such boxes are in an element; remembered like labels, and for the same reason. */
const holders = new Map<Element, number>();

function hasSecretName(name: string | null): boolean {
  return name !== null && WORDS.test(wordsOfName(name));
}

/** The words that a name for programs is made of. */
export function wordsOfName(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/[-_.[\]:]+/g, " ")
    .toLowerCase();
}
