// What kind of field an element is, and which element is operated for it: the
// control of a label, the only field in a wrapper, one of a group of radios.
import { Refused } from "../protocol/refused";
import { matches, selectIn } from "./clobbered";
import { isTextField, type TextField } from "./field";
import { isStepped } from "./fill-steps";

export type Field =
  /** Takes text as it is typed. */
  | { kind: "text"; element: TextField | HTMLElement }
  /** Takes text, and offers options for it. */
  | { kind: "typeahead"; element: HTMLInputElement }
  /** Dates and the like: their popups belong to the browser, so the page is told. */
  | { kind: "value"; element: HTMLInputElement }
  | { kind: "select"; element: HTMLSelectElement }
  | { kind: "check"; element: HTMLElement }
  /** A slider or spin button of the page's own making. */
  | { kind: "stepped"; element: HTMLElement }
  | { kind: "radios"; element: HTMLElement; radios: HTMLElement[] }
  /** Options of the page's own making, in view or behind a button. */
  | { kind: "list"; element: HTMLElement }
  | { kind: "popup"; element: HTMLElement }
  | { kind: "file"; element: HTMLInputElement };

const VALUE_TYPES = new Set("date time month week datetime-local color range".split(" "));
const CHECKED_ROLES = new Set("checkbox switch menuitemcheckbox".split(" "));
const FIELDS =
  "input:not([type=hidden]),select,textarea,[contenteditable]:not([contenteditable=false])," +
  "[role=checkbox],[role=switch],[role=radio],[role=listbox],[role=combobox],[role=slider],[role=spinbutton]";

export function fieldOf(element: Element): Field {
  const field = ownField(element);
  if (field) return field;
  if (element instanceof HTMLLabelElement && element.control) return fieldOf(element.control);
  const inner = [...selectIn<HTMLElement>(element, FIELDS)];
  const radios = inner.filter(isRadio);
  if (radios.length > 1 && radios.length === inner.length && element instanceof HTMLElement) {
    return { kind: "radios", element, radios };
  }
  const [only] = inner;
  const innerField = only && inner.length === 1 ? ownField(only) : undefined;
  if (innerField && !matches(element, "button,a[href]")) return innerField;
  throw new Refused("not_editable", "The element is no field. Use the ref of one.");
}

function ownField(element: Element): Field | undefined {
  if (element instanceof HTMLInputElement) return inputField(element);
  if (element instanceof HTMLSelectElement) return { kind: "select", element };
  if (element instanceof HTMLTextAreaElement) return { kind: "text", element };
  if (!(element instanceof HTMLElement) || element instanceof HTMLFormElement) return undefined;
  const role = element.getAttribute("role") ?? "";
  if (isRadio(element)) return { kind: "radios", element, radios: radiosAround(element) };
  if (CHECKED_ROLES.has(role) || element.hasAttribute("aria-pressed")) {
    return { kind: "check", element };
  }
  if (isStepped(element)) return { kind: "stepped", element };
  if (role === "listbox") return { kind: "list", element };
  const opensList = element.getAttribute("aria-haspopup") === "listbox";
  if (role === "combobox" || opensList) {
    const input = element.querySelector("input");
    return input && isTextField(input)
      ? { kind: "typeahead", element: input as HTMLInputElement }
      : { kind: "popup", element };
  }
  return element.isContentEditable ? { kind: "text", element } : undefined;
}

function inputField(element: HTMLInputElement): Field | undefined {
  const { type } = element;
  const role = element.getAttribute("role") ?? "";
  if (type === "checkbox" || CHECKED_ROLES.has(role)) return { kind: "check", element };
  if (type === "radio") return { kind: "radios", element, radios: radiosAround(element) };
  if (type === "file") return { kind: "file", element };
  if (VALUE_TYPES.has(type)) return { kind: "value", element };
  if (!isTextField(element)) return undefined;
  return { kind: role === "combobox" ? "typeahead" : "text", element };
}

export function isRadio(element: Element): boolean {
  if (element instanceof HTMLInputElement) return element.type === "radio";
  return matches(element, "[role=radio],[role=menuitemradio]");
}

/** Those that one of them can be chosen instead of, itself first. */
function radiosAround(radio: HTMLElement): HTMLElement[] {
  if (radio instanceof HTMLInputElement) {
    const { name, form } = radio;
    if (!name) return [radio];
    const all = selectIn<HTMLInputElement>(radio.getRootNode(), "input[type=radio]");
    const others = [...all].filter((one) => one.name === name && one.form === form);
    return [radio, ...others.filter((one) => one !== radio)];
  }
  const group = radio.closest("[role=radiogroup],[role=group],[role=menu]");
  const others = group ? selectIn<HTMLElement>(group, "[role=radio],[role=menuitemradio]") : [];
  return [radio, ...[...others].filter((one) => one !== radio)];
}
