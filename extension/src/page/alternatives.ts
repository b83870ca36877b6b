// What an element says as part of another one's name: what a label, a legend or
// the target of `aria-labelledby` reads like. Follows the accessible name
// computation as Chromium has it. Names from a control's own content come out of
// the walk instead, which passes through the content anyway.
import { isClobbered } from "./clobbered";
import { drawnChildren, firstChildOfTag } from "./flat-tree";
import { generatedText } from "./generated-text";
import { isSecret } from "./secrets";
import { clean } from "./text";

/** A label with more in it than this is not read to its end. */
const MOST_NODES = 1_000;

const SILENT = new Set("script style template noscript iframe audio video datalist".split(" "));

interface Reading {
  /** Nodes that may still be read. */
  left: number;
  /** What is named: it is no part of its own name. */
  subject: Element | undefined;
  /** The label as a whole is hidden, so what is hidden in it counts. */
  countsHidden: boolean;
}

/** `subject`: what the text is to name. */
export function alternativeOf(element: Element, subject?: Element): string {
  const countsHidden = !element.checkVisibility({ visibilityProperty: true });
  return clean(read(element, { left: MOST_NODES, subject, countsHidden }, true));
}

/** What stands for a picture or a field; undefined for what is told by its content. */
export function ownAlternative(element: Element, tag: string): string | undefined {
  switch (tag) {
    case "img":
    case "area":
      return clean(element.getAttribute("alt") ?? element.getAttribute("title"));
    case "svg":
      return drawingTitle(element) || clean(element.getAttribute("title"));
    case "input":
    case "textarea":
    case "select":
      return isSecret(element) ? "" : embeddedValue(element, tag);
    default:
      return undefined;
  }
}

/** `<title>` of a drawing. */
export function drawingTitle(svg: Element): string {
  return clean(firstChildOfTag(svg, "title")?.textContent ?? "");
}

function read(element: Element, reading: Reading, isFirst = false): string {
  reading.left -= 1;
  if (reading.left < 0 || element === reading.subject) return "";
  if (isClobbered(element)) return readChildren(element, "form", reading, true);
  const tag = element.localName;
  if (SILENT.has(tag)) return "";
  if (tag === "br") return " ";
  const { display, visibility } = getComputedStyle(element);
  if (!isFirst && !reading.countsHidden) {
    if (display === "none" || element.getAttribute("aria-hidden") === "true") return "";
  }
  const isSeen = reading.countsHidden || visibility === "visible";
  const said = clean(element.getAttribute("aria-label"));
  const own = isSeen ? said || ownAlternative(element, tag) : undefined;
  const text =
    own ?? (readChildren(element, tag, reading, isSeen) || clean(element.getAttribute("title")));
  return display.startsWith("inline") && own === undefined && display === "inline"
    ? text
    : ` ${text} `;
}

function readChildren(
  element: Element,
  tag: string,
  reading: Reading,
  isTextSeen: boolean,
): string {
  const nodes = drawnChildren(element, tag);
  // Asked only of icons: it costs more than all else.
  const isIcon = nodes.length === 0 && isTextSeen;
  let text = isIcon ? generatedText(element, "::before") : "";
  for (const node of nodes) {
    if (reading.left <= 0) break;
    if (node instanceof Element) text += read(node, reading);
    else if (node instanceof Text && isTextSeen) text += node.data;
  }
  return isIcon ? text + generatedText(element, "::after") : text;
}

function embeddedValue(element: Element, tag: string): string {
  if (tag === "select") {
    const chosen = [...(element as HTMLSelectElement).selectedOptions];
    return clean(chosen.map((option) => option.label).join(" "));
  }
  const field = element as HTMLInputElement;
  const hasNoText = tag === "input" && /^(checkbox|radio|hidden|file)$/.test(field.type);
  return hasNoText ? "" : clean(field.value);
}
