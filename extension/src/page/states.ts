// States of an element: only those that are set, and never a secret's value.
import type { State } from "../protocol/generated";
import { clean } from "./names";
import { headingLevel } from "./roles";
import { shorten } from "./text";

const LONGEST_VALUE = 4_000;
const LONGEST_ADDRESS = 2_000;

let ownOrigin: string | undefined;
let hasBase: boolean | undefined;

const CHECKABLE = new Set("checkbox radio switch menuitemcheckbox menuitemradio".split(" "));

export function stateOf(
  element: Element,
  tag: string,
  role: string,
  secret: boolean,
  focused: Element | null,
): State {
  const state: State = {};
  if (role === "heading") state.level = headingLevel(element, tag);
  if (role === "link") addAddress(element, state);
  if (CHECKABLE.has(role) || element.hasAttribute("aria-pressed")) {
    const checked = checkedOf(element, tag);
    if (checked) state.checked = checked;
  }
  const value = secret ? undefined : currentValue(element, tag);
  if (value !== undefined) state.value = shorten(value, LONGEST_VALUE);
  addExpanded(element, tag, state);
  if (element.getAttribute("aria-selected") === "true") state.selected = true;
  if (isDisabled(element)) state.disabled = true;
  addFieldStates(element, tag, state);
  if (element === focused) state.focused = true;
  return state;
}

export function isDisabled(element: Element): boolean {
  return element.matches(":disabled") || element.getAttribute("aria-disabled") === "true";
}

/** Short where it can be: addresses of the same origin without it. */
function addAddress(element: Element, state: State): void {
  const written = element.getAttribute("href")?.trim();
  if (written === undefined) return;
  // A script or inline data is nowhere to lead to, and may be long.
  const scheme = /^(javascript|data):/i.exec(written);
  state.href = scheme
    ? scheme[0].toLowerCase()
    : shorten(shortAddress(element, written), LONGEST_ADDRESS);
}

/** Having Chrome resolve every address is what shows on a page of many links. */
function shortAddress(element: Element, written: string): string {
  ownOrigin ??= location.origin;
  hasBase ??= document.querySelector("base[href]") !== null;
  const isComplete = /^https?:/.test(written) || (!hasBase && /^(#|\/(?!\/))/.test(written));
  const address = isComplete ? written : resolved(element, written);
  return address.startsWith(`${ownOrigin}/`) ? address.slice(ownOrigin.length) : address;
}

/** Links in drawings have an object for an address. */
function resolved(element: Element, written: string): string {
  const { href } = element as HTMLAnchorElement;
  return typeof href === "string" ? href : written;
}

function checkedOf(element: Element, tag: string): string | undefined {
  if (tag === "input") {
    const input = element as HTMLInputElement;
    return input.indeterminate ? "mixed" : String(input.checked);
  }
  const said = element.getAttribute("aria-checked") ?? element.getAttribute("aria-pressed");
  return said === "true" || said === "false" || said === "mixed" ? said : undefined;
}

function currentValue(element: Element, tag: string): string | undefined {
  switch (tag) {
    case "input":
      return inputValue(element as HTMLInputElement);
    case "textarea":
      return (element as HTMLTextAreaElement).value;
    case "select":
      return [...(element as HTMLSelectElement).selectedOptions]
        .map((option) => clean(option.label))
        .join(", ");
    case "meter":
    case "progress":
      return String((element as HTMLProgressElement).value);
    default:
      return (
        element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow") ?? undefined
      );
  }
}

function inputValue(input: HTMLInputElement): string | undefined {
  switch (input.type) {
    case "button":
    case "checkbox":
    case "image":
    case "radio":
    case "reset":
    case "submit":
      return undefined;
    case "file":
      return [...(input.files ?? [])].map(({ name }) => name).join(", ");
    default:
      return input.value;
  }
}

function addExpanded(element: Element, tag: string, state: State): void {
  if (tag === "summary") {
    state.expanded = (element.parentElement as HTMLDetailsElement).open === true;
    return;
  }
  const said = element.getAttribute("aria-expanded");
  if (said === "true" || said === "false") state.expanded = said === "true";
}

function addFieldStates(element: Element, tag: string, state: State): void {
  const isField = tag === "input" || tag === "textarea" || tag === "select";
  if (
    element.getAttribute("aria-required") === "true" ||
    (isField && element.matches(":required"))
  ) {
    state.required = true;
  }
  const invalid = element.getAttribute("aria-invalid");
  if ((invalid && invalid !== "false") || (isField && element.matches(":user-invalid"))) {
    state.invalid = true;
  }
  const placeholder =
    element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder");
  if (placeholder) state.placeholder = clean(placeholder);
}
