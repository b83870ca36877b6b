// `checkFields`: whether each field could take its value, before any is touched.
import type { Refusal } from "../protocol/generated";
import { Refused, refusalOf } from "../protocol/refused";
import { findOption, noSuchOption, optionsOf } from "./choices";
import { type Field, fieldOf, isRadio } from "./field-kind";
import { steppedValue } from "./fill-steps";
import { labelsOf } from "./labels";
import { refuseUnusable, usableElement } from "./prepare";
import { isDisabled } from "./states";
import { isVisible } from "./visibility";

/** A field and what it is to hold. */
export interface Wanted {
  node: number;
  values: string[];
  /** It is to be a field for files, which come another way. */
  files: boolean;
}

export interface CheckArgs {
  origin: string;
  fields: Wanted[];
  /** Only what has options to choose from is meant. */
  choose: boolean;
}

const FORMS: Record<string, string> = {
  date: "A date is written as 2026-01-31.",
  time: "A time is written as 09:30.",
  month: "A month is written as 2026-01.",
  week: "A week is written as 2026-W05.",
  "datetime-local": "A date with time is written as 2026-01-31T09:30.",
  color: "A colour is written as #rrggbb.",
  range: "The value must be a number.",
};

export function checkFields({ origin, fields, choose }: CheckArgs): (Refusal | null)[] {
  return fields.map(({ node, values, files }) => {
    try {
      const field = fieldOf(usableElement({ node, origin, clear: false }));
      if (choose) refuseWithoutOptions(field);
      refuseOtherThanFiles(field, files);
      check(field, values);
      return null;
    } catch (error) {
      return refusalOf(error);
    }
  });
}

function refuseWithoutOptions({ kind }: Field): void {
  if (!["select", "list", "popup", "typeahead", "radios"].includes(kind)) {
    throw new Refused("not_editable", "The element has no options to choose from.");
  }
}

function refuseOtherThanFiles({ kind }: Field, files: boolean): void {
  if (kind === "file" && !files) {
    throw new Refused(
      "not_editable",
      "The field takes files: give it a value of the form {files: [path]}, or use browser_upload.",
    );
  }
  if (kind !== "file" && files) throw new Refused("not_editable", "The field takes no files.");
}

function check(field: Field, values: string[]): void {
  if (field.kind === "file") {
    if (isDisabled(field.element)) throw new Refused("disabled", "The file field is disabled.");
    return;
  }
  refuseUnusable(pressableOf(field));
  switch (field.kind) {
    case "text":
    case "typeahead":
      theOne(values);
      refuseReadOnly(field.element);
      return;
    case "value":
      // Of these two nobody can be kept by that.
      if (!/^(range|color)$/.test(field.element.type)) refuseReadOnly(field.element);
      writtenAs(field.element, theOne(values));
      return;
    case "select":
      wantedOptions(field.element, values);
      return;
    case "check":
      asBoolean(theOne(values));
      return;
    case "stepped":
      steppedValue(field.element, theOne(values));
      return;
    case "radios":
      wantedRadio(field, values);
      return;
    case "list": {
      const options = optionsOf(field.element);
      for (const value of values) if (!findOption(options, value)) throw noSuchOption(options);
      return;
    }
    case "popup":
      // Its options exist only once it is open.
      return;
  }
}

function refuseReadOnly(element: HTMLElement): void {
  if ("readOnly" in element && element.readOnly) {
    throw new Refused("disabled", "The field is read-only.");
  }
}

/** What is pressed for a field: a control that can't be seen has its label for that. */
export function pressableOf({ element }: Field): HTMLElement {
  if (isVisible(element)) return element;
  const label = labelsOf(element).find(isVisible);
  return label ? apartFromLinks(label) : element;
}

/** A link in a label leads away instead. */
function apartFromLinks(label: HTMLElement): HTMLElement {
  const links = "a[href],button";
  if (!label.querySelector(links)) return label;
  const parts = [...label.querySelectorAll<HTMLElement>("*")];
  const isApart = (part: HTMLElement) => !part.closest(links) && !part.querySelector(links);
  return parts.find((part) => isApart(part) && isVisible(part)) ?? label;
}

export function theOne(values: string[]): string {
  const [value] = values;
  if (value !== undefined && values.length === 1) return value;
  throw new Refused("invalid_arguments", "The field takes exactly one value.");
}

export function asBoolean(value: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new Refused("invalid_arguments", "A box takes true or false.");
}

/** The value as the browser would write it. */
export function writtenAs({ type }: HTMLInputElement, value: string): string {
  const probe = Document.prototype.createElement.call(document, "input") as HTMLInputElement;
  probe.type = type;
  if (type === "range") {
    // Where the ends are is the field's own business, and told afterwards.
    if (value.trim() === "" || !Number.isFinite(Number(value))) throw malformed(type);
    return String(Number(value));
  }
  probe.value = type === "color" ? value.toLowerCase() : value;
  if (probe.value !== "" || value === "") {
    if (type !== "color" || probe.value === value.toLowerCase()) return probe.value;
  }
  throw malformed(type);
}

function malformed(type: string): Refused {
  return new Refused("invalid_arguments", FORMS[type] ?? "The field takes another form of value.");
}

export function wantedOptions(select: HTMLSelectElement, values: string[]): HTMLOptionElement[] {
  if (!select.multiple) theOne(values);
  const options = [...select.options];
  return values.map((value) => {
    const option = findOption(options, value);
    if (!option) throw noSuchOption(options.filter(({ hidden }) => !hidden));
    if (isDisabledOption(option)) throw new Refused("disabled", "That option is disabled.");
    return option;
  });
}

function isDisabledOption(option: HTMLOptionElement): boolean {
  const group = option.parentElement;
  return option.disabled || (group instanceof HTMLOptGroupElement && group.disabled);
}

/** The radio that a value means: itself if true, else one of its group by name. */
export function wantedRadio(field: Field & { kind: "radios" }, values: string[]): HTMLElement {
  const value = theOne(values);
  const named = findOption(field.radios, value);
  if (!named && value === "true" && isRadio(field.element)) return field.element;
  if (!named && value === "false") {
    throw new Refused(
      "invalid_arguments",
      "A radio button can't be switched off. Choose another one of its group.",
    );
  }
  if (!named) throw noSuchOption(field.radios);
  if (isDisabled(named)) throw new Refused("disabled", "That option is disabled.");
  return named;
}
