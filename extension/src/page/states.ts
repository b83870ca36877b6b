// States of an element: only those that are set, and never a secret's value.
import type { State } from "../protocol/generated";
import { closest, selectIn } from "./clobbered";
import { mediaState } from "./media";
import { headingLevel } from "./roles";
import { clean, shorten } from "./text";

const LONGEST_VALUE = 4_000;
const LONGEST_ADDRESS = 2_000;

let ownOrigin: string | undefined;
let hasBase: boolean | undefined;

/** What the browser itself knows states of. */
const NATIVE = new Set("input textarea select button fieldset meter progress".split(" "));

/** Whoever fills them must know in which form. */
const NO_PLAIN_TEXT = new Set("date time month week datetime-local color file".split(" "));

const MEDIA = new Set(["audio", "video"]);

/** Of an element that is not `isMarked`, no attribute says anything. */
export function stateOf(
  element: Element,
  tag: string,
  role: string,
  isMarked: boolean,
  secret: boolean,
  focused: Element | null,
): State {
  const state: State = {};
  if (role === "heading") state.level = headingLevel(element, tag);
  if (role === "link") addAddress(element, state);
  if (NATIVE.has(tag)) addNativeStates(element, tag, secret, state);
  if (MEDIA.has(tag) && element instanceof HTMLMediaElement) state.value = mediaState(element);
  if (isMarked) addStatedStates(element, secret, state);
  if (tag === "td" || tag === "th") addSpans(element as HTMLTableCellElement, state);
  if (tag === "ol" && role === "list") addNumbers(element as HTMLOListElement, state);
  if (tag === "li" && element.hasAttribute("value")) state.start = (element as HTMLLIElement).value;
  if (tag === "summary") state.expanded = isOpen(element);
  if (element === focused) state.focused = true;
  return state;
}

export function isDisabled(element: Element): boolean {
  if (element.matches(":disabled") || element.getAttribute("aria-disabled") === "true") return true;
  return closest(element, "[inert]") !== null;
}

/** Short where it can be: addresses of the same origin without it. */
function addAddress(element: Element, state: State): void {
  const written = element.getAttribute("href")?.trim();
  if (written === undefined) return;
  state.href = writtenAddress(written, (address) => shortAddress(element, address));
}

/** A script or inline data is nowhere to lead to, and may be long. */
export function writtenAddress(written: string, short = (address: string) => address): string {
  const scheme = /^(javascript|data):/i.exec(written);
  return scheme ? scheme[0].toLowerCase() : shorten(short(written), LONGEST_ADDRESS);
}

/** Having Chrome resolve every address is what shows on a page of many links. */
function shortAddress(element: Element, written: string): string {
  ownOrigin ??= location.origin;
  hasBase ??= selectIn(document, "base[href]").length > 0;
  const isComplete = /^https?:/.test(written) || (!hasBase && /^(#|\/(?!\/))/.test(written));
  const address = isComplete ? written : resolved(element, written);
  return address.startsWith(`${ownOrigin}/`) ? address.slice(ownOrigin.length) : address;
}

/** Links in drawings have an object for an address. */
function resolved(element: Element, written: string): string {
  const { href } = element as HTMLAnchorElement;
  return typeof href === "string" ? href : written;
}

function addNativeStates(element: Element, tag: string, secret: boolean, state: State): void {
  const checked = tag === "input" && checkedOf(element as HTMLInputElement);
  if (checked) state.checked = checked;
  if (tag === "input" && NO_PLAIN_TEXT.has((element as HTMLInputElement).type)) {
    state.kind = (element as HTMLInputElement).type;
  }
  const value = secret ? undefined : currentValue(element, tag);
  if (value !== undefined) state.value = shorten(value, LONGEST_VALUE);
  if (element.matches(":disabled")) state.disabled = true;
  if (element.matches(":required")) state.required = true;
  if (element.matches(":user-invalid")) state.invalid = true;
}

/** What the page says in attributes, where the browser doesn't know better. */
function addStatedStates(element: Element, secret: boolean, state: State): void {
  const said = (name: string) => element.getAttribute(`aria-${name}`);
  const checked = said("checked") ?? said("pressed");
  if (checked === "true" || checked === "false" || checked === "mixed") state.checked ??= checked;
  const value = said("valuetext") ?? said("valuenow");
  if (value !== null && !secret) state.value ??= shorten(value, LONGEST_VALUE);
  const expanded = said("expanded");
  if (expanded === "true" || expanded === "false") state.expanded = expanded === "true";
  if (said("selected") === "true") state.selected = true;
  if (said("disabled") === "true") state.disabled = true;
  if (said("required") === "true") state.required = true;
  const invalid = said("invalid");
  if (invalid && invalid !== "false") state.invalid = true;
  const current = said("current");
  if (current && current !== "false") state.current = current;
  if (said("busy") === "true") state.busy = true;
  const placeholder = element.getAttribute("placeholder") ?? said("placeholder");
  if (placeholder) state.placeholder = clean(placeholder);
}

/** Where numbers are drawn: lists of links mostly have none. */
function addNumbers(list: HTMLOListElement, state: State): void {
  if (getComputedStyle(list).listStyleType === "none") return;
  state.start = list.start;
  if (!list.reversed) return;
  state.reversed = true;
  const items = [...list.children].filter(({ localName }) => localName === "li");
  if (!list.hasAttribute("start")) state.start = items.length;
}

/** Of a cell that takes the place of several. */
function addSpans({ colSpan, rowSpan }: HTMLTableCellElement, state: State): void {
  if (colSpan > 1) state.colspan = colSpan;
  if (rowSpan > 1) state.rowspan = rowSpan;
}

function checkedOf(input: HTMLInputElement): string | undefined {
  if (input.type !== "checkbox" && input.type !== "radio") return undefined;
  return input.indeterminate ? "mixed" : String(input.checked);
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
      return undefined;
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

function isOpen(summary: Element): boolean {
  const { parentElement } = summary;
  return parentElement instanceof HTMLDetailsElement && parentElement.open;
}
