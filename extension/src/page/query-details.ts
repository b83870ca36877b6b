// Attributes and styles of an element, as far as they were asked for. What a
// secret field holds is not among them.
import { closest } from "./clobbered";
import { heldBy, isSecret } from "./secrets";
import { shorten } from "./text";

const LONGEST_VALUE = 500;
const SECRET = "[secret]";

/** `asked`: all if empty. */
export function attributesOf(element: Element, asked: readonly string[]): Record<string, string> {
  const names = asked.length > 0 ? asked : Element.prototype.getAttributeNames.call(element);
  const field = secretFieldOf(element);
  const told: Record<string, string> = {};
  for (const name of names) {
    const value = Element.prototype.getAttribute.call(element, name);
    if (value === null) continue;
    const isTold = !field || !holdsSecret(field, element, name, value);
    told[name] = isTold ? shorten(value, LONGEST_VALUE) : SECRET;
  }
  return told;
}

/** Names that no style has are left out. */
export function stylesOf(element: Element, asked: readonly string[]): Record<string, string> {
  const style = getComputedStyle(element);
  const told: Record<string, string> = {};
  for (const name of asked) {
    const value = style.getPropertyValue(name.startsWith("--") ? name : hyphenated(name));
    if (value !== "") told[name] = shorten(value, LONGEST_VALUE);
  }
  return told;
}

/** `backgroundColor` is what scripts call it. */
function hyphenated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The secret field that an element is, or whose options it is one of. */
function secretFieldOf(element: Element): Element | undefined {
  const field = element instanceof HTMLOptionElement ? closest(element, "select") : element;
  return field && isSecret(field) ? field : undefined;
}

function holdsSecret(field: Element, element: Element, name: string, value: string): boolean {
  const lower = name.toLowerCase();
  if (lower === "value" || lower === "selected") return true;
  if (element !== field) return false;
  const held = heldBy(field);
  return held !== "" && value.includes(held);
}
