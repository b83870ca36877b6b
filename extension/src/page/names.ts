// Accessible names, as far as they don't come from an element's content: that
// part is gathered by the walk, which passes through the content anyway.
import { fold, shorten } from "./text";

const LONGEST_NAME = 2_000;

/** Never part of a label's text: what they hold is a value, or no text at all. */
const NOT_LABEL_TEXT = new Set(
  "input select textarea script style template noscript svg iframe".split(" "),
);

/**
 * What the page says the name is, by attribute or label; empty if nothing does.
 * Of an element that is not `isMarked`, no attribute says anything.
 */
export function statedName(element: Element, tag: string, isMarked: boolean): string {
  return (isMarked && ariaName(element)) || nativeName(element, tag);
}

/** The last resort. */
export function titleOf(element: Element): string {
  return clean(element.getAttribute("title"));
}

/** Whether the text of its labels is what a control is called by. */
export function isNamedByLabel(control: Element): boolean {
  return ariaName(control) === "";
}

export function ariaName(element: Element): string {
  const ids = element.getAttribute("aria-labelledby");
  if (ids) {
    const root = element.getRootNode() as Document | ShadowRoot;
    const texts = ids
      .split(/\s+/)
      .map((id) => (id ? root.getElementById(id) : null))
      .map((labelling) =>
        labelling ? clean(labelling.getAttribute("aria-label")) || labelText(labelling) : "",
      );
    const name = clean(texts.join(" "));
    if (name) return name;
  }
  return clean(element.getAttribute("aria-label"));
}

/** `<title>` of a drawing. */
export function drawingTitle(svg: Element): string {
  for (const child of svg.children) {
    if (child.localName === "title") return clean(child.textContent);
  }
  return "";
}

export function clean(text: string | null): string {
  return text ? shorten(fold(text).trim(), LONGEST_NAME) : "";
}

function nativeName(element: Element, tag: string): string {
  switch (tag) {
    case "img":
    case "area":
      return clean(element.getAttribute("alt"));
    case "input":
      return inputName(element as HTMLInputElement);
    case "select":
    case "textarea":
    case "meter":
    case "progress":
      return labelsOf(element as HTMLSelectElement);
    case "fieldset":
      return labelText(element.querySelector(":scope > legend"));
    case "iframe":
    case "frame":
      return titleOf(element) || clean(element.getAttribute("name"));
    case "svg":
      return drawingTitle(element);
    default:
      return "";
  }
}

function inputName(input: HTMLInputElement): string {
  switch (input.type) {
    case "submit":
      return clean(input.value) || "Submit";
    case "reset":
      return clean(input.value) || "Reset";
    case "button":
      return clean(input.value);
    case "image":
      return clean(input.alt) || clean(input.value) || "Submit";
    default:
      return labelsOf(input);
  }
}

function labelsOf(control: { labels: NodeListOf<HTMLLabelElement> | null }): string {
  return clean([...(control.labels ?? [])].map(labelText).join(" "));
}

function labelText(element: Element | null): string {
  if (!element) return "";
  let text = "";
  for (const node of element.childNodes) {
    if (node instanceof Text) {
      text += node.data;
    } else if (node instanceof HTMLElement && !NOT_LABEL_TEXT.has(node.localName) && !node.hidden) {
      text += ` ${node.localName === "img" ? (node as HTMLImageElement).alt : labelText(node)} `;
    }
  }
  return fold(text).trim();
}
