// Accessible names, as far as they don't come from an element's content: that
// part is gathered by the walk, which passes through the content anyway.
import { alternativeOf, drawingTitle, pictureAlternative } from "./alternatives";
import { elementById } from "./clobbered";
import { firstChildOfTag } from "./flat-tree";
import { type LabelsOf, labelsOf } from "./labels";
import { clean } from "./text";

/**
 * What the page says the name is, by attribute or label; empty if nothing does.
 * Of an element that is not `isMarked`, no attribute says anything.
 */
export function statedName(
  element: Element,
  tag: string,
  isMarked: boolean,
  labels: LabelsOf = labelsOf,
): string {
  return (isMarked && ariaName(element)) || nativeName(element, tag, labels);
}

/** The last resorts. */
export function titleOf(element: Element): string {
  return clean(element.getAttribute("title"));
}

export function placeholderOf(element: Element): string {
  return clean(element.getAttribute("placeholder") ?? element.getAttribute("aria-placeholder"));
}

/** Whether the text of its labels is what a control is called by. What a page defines itself may be no control to us. */
export function isNamedByLabel(control: Element): boolean {
  return !isDefinedByPage(control.localName) && ariaName(control) === "";
}

export function ariaName(element: Element): string {
  const ids = element.getAttribute("aria-labelledby");
  if (ids) {
    const root = element.getRootNode();
    const texts = ids
      .split(/\s+/)
      .map((id) => (id ? elementById(root, id) : null))
      .map((labelling) => (labelling ? referencedText(labelling, element) : ""));
    const name = clean(texts.join(" "));
    if (name) return name;
  }
  return clean(element.getAttribute("aria-label"));
}

/** An element may name itself by its label and something else. */
function referencedText(labelling: Element, named: Element): string {
  if (labelling !== named) return alternativeOf(labelling);
  return clean(named.getAttribute("aria-label")) || alternativeOf(named);
}

function nativeName(element: Element, tag: string, labels: LabelsOf): string {
  switch (tag) {
    case "img":
    case "area":
      return pictureAlternative(element, tag) ?? "";
    case "input":
      return inputName(element as HTMLInputElement, labelled(labels(element), element));
    case "button":
    case "select":
    case "textarea":
    case "meter":
    case "output":
    case "progress":
      return labelled(labels(element), element);
    case "table":
      return childText(element, "caption");
    case "fieldset":
      return childText(element, "legend");
    case "iframe":
    case "frame":
      return titleOf(element) || clean(element.getAttribute("name"));
    case "object":
    case "embed":
      return titleOf(element) || clean(element.getAttribute("type"));
    case "audio":
    case "video":
      return titleOf(element);
    case "canvas":
      return titleOf(element) || clean(element.textContent);
    case "svg":
      return drawingTitle(element);
    default: {
      const mayBeField = isDefinedByPage(tag) && element.hasAttribute("role");
      return mayBeField ? labelled(labels(element), element) : "";
    }
  }
}

function isDefinedByPage(tag: string): boolean {
  return tag.includes("-");
}

function inputName(input: HTMLInputElement, label: string): string {
  switch (input.type) {
    case "submit":
      return label || clean(input.value) || titleOf(input) || "Submit";
    case "reset":
      return label || clean(input.value) || titleOf(input) || "Reset";
    case "button":
      return label || clean(input.value);
    case "image":
      return label || clean(input.alt) || clean(input.value) || titleOf(input) || "Submit";
    case "file":
      return label || titleOf(input) || (input.multiple ? "Choose Files" : "Choose File");
    default:
      return label;
  }
}

function labelled(labels: readonly HTMLLabelElement[], control: Element): string {
  return clean(labels.map((label) => alternativeOf(label, control)).join(" "));
}

function childText(element: Element, tag: string): string {
  const child = firstChildOfTag(element, tag);
  return child ? alternativeOf(child) : "";
}
