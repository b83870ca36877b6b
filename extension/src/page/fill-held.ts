// `heldFields`: what fields hold after they were filled. Compared here, so that
// what a secret holds never leaves the page.
import type { FieldOutcome } from "../protocol/generated";
import { refusalOf } from "../protocol/refused";
import { findOption, isChosen, nameOfOption, optionsOf } from "./choices";
import { isTextField } from "./field";
import { type Field, fieldOf } from "./field-kind";
import {
  asBoolean,
  type CheckArgs,
  theOne,
  wantedOptions,
  wantedRadio,
  writtenAs,
} from "./fill-check";
import { isAt } from "./fill-steps";
import { usableElement } from "./prepare";
import { isInSecret } from "./secrets";
import { clean, shorten } from "./text";

const LONGEST_HELD = 300;
/** What a page may put between the letters of a number that it lays out. */
const LAYOUT = /[\s()/-]/g;

export function heldFields({ origin, fields }: CheckArgs): FieldOutcome[] {
  return fields.map(({ node, values }) => {
    try {
      const field = fieldOf(usableElement({ node, origin, clear: false }));
      if (holds(field, { values })) return { took: true };
      if (isInSecret(field.element)) return { took: false };
      return { took: false, held: shorten(heldBy(field), LONGEST_HELD) };
    } catch (error) {
      return { took: false, refusal: refusalOf(error) };
    }
  });
}

export function isOn(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) {
    return element.checked && !element.indeterminate;
  }
  return ["aria-checked", "aria-pressed"].some((name) => element.getAttribute(name) === "true");
}

/** Whether a field holds what it was to hold. */
export function holds(field: Field, { values }: { values: string[] }): boolean {
  switch (field.kind) {
    case "text":
    case "typeahead":
      return isText(field.element, heldBy(field), theOne(values));
    case "value":
      return field.element.value === writtenAs(field.element, theOne(values));
    case "select": {
      const wanted = wantedOptions(field.element, values);
      const isAsWanted = (option: HTMLOptionElement) => option.selected === wanted.includes(option);
      return [...field.element.options].every(isAsWanted);
    }
    case "check":
      return isOn(field.element) === asBoolean(theOne(values));
    case "radios":
      return isOn(wantedRadio(field, values));
    case "stepped":
      return isAt(field.element, Number(theOne(values)));
    case "list": {
      const options = optionsOf(field.element);
      const wanted = values.map((value) => findOption(options, value));
      return options.every((option) => isChosen(option) === wanted.includes(option));
    }
    case "popup":
      return values.every((value) => isShown(field.element, value));
    case "file":
      // What it is given comes after.
      return true;
  }
}

/** What it holds, as a person would read it. */
export function heldBy(field: Field): string {
  const { element } = field;
  switch (field.kind) {
    case "check":
      return isOn(element) ? "on" : "off";
    case "stepped":
      return element.getAttribute("aria-valuenow") ?? "";
    case "radios":
      return field.radios.filter(isOn).map(nameOfOption).join(", ");
    case "select":
      return [...field.element.selectedOptions].map(nameOfOption).join(", ");
    case "list":
      return optionsOf(field.element).filter(isChosen).map(nameOfOption).join(", ");
    case "file":
      return [...(field.element.files ?? [])].map(({ name }) => name).join(", ");
    case "popup":
      return clean(element.textContent);
    default:
      // biome-ignore lint/performance/useDomNodeTextContent: lines count, and what nobody sees does not.
      return isInput(element) ? element.value : element.innerText;
  }
}

function isInput(element: HTMLElement): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

function isText(element: HTMLElement, held: string, wanted: string): boolean {
  if (held === wanted || held === wanted.replace(/\r\n?/g, "\n")) return true;
  if (!isTextField(element)) return clean(held) === clean(wanted);
  if (element.type === "number") return held !== "" && Number(held) === Number(wanted);
  return isLaidOut(held, wanted);
}

/** `5551234` may become `555 1234`; anything else is another text. */
function isLaidOut(held: string, wanted: string): boolean {
  const plain = wanted.replace(LAYOUT, "");
  return (
    plain.length > 1 && held.replace(LAYOUT, "") === plain && held[0] !== "-" && wanted[0] !== "-"
  );
}

/** Whether a button that opens a list shows an option, or the open list does. */
function isShown(button: HTMLElement, value: string): boolean {
  const option = findOption(optionsOf(button), value);
  if (option && isChosen(option)) return true;
  return showsOption(button, option ? nameOfOption(option) : value);
}

export function showsOption(button: HTMLElement, name: string): boolean {
  return clean(button.textContent).toLowerCase() === clean(name).toLowerCase();
}
