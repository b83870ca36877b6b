// What an element says as part of another one's name: what a label, a legend or
// the target of `aria-labelledby` reads like. Follows the accessible name
// computation as Chromium has it. Names from a control's own content come out of
// the walk instead, which passes through the content anyway: a library that is
// handed one element at a time (dom-accessibility-api was measured) adds a good
// part of the walk's time to it, and agrees with Chromium on fewer controls.
import { isClobbered, page, tagOf } from "./clobbered";
import { drawnChildren, firstChildOfTag } from "./flat-tree";
import { generatedText } from "./generated-text";
import { isInSecret, isSecret } from "./secrets";
import { clean, fold, LONGEST_NAME, transformed } from "./text";

/** A label with more in it than this is not read to its end. */
const MOST_NODES = 1_000;

const SILENT = new Set("script style template noscript iframe audio video datalist".split(" "));

/** Text right in these is no part of a label: a text area stands for what it holds. */
const UNSPOKEN = new Set([...SILENT, "option", "textarea"]);

/** Roles of what holds a value that can be set. */
const VALUED = new Set(["slider", "spinbutton", "scrollbar"]);

interface Reading {
  /** Nodes that may still be read. */
  left: number;
  /** What is named: it is no part of its own name. */
  subject: Element | undefined;
  /** The label as a whole is hidden, so what is hidden in it counts. */
  countsHidden: boolean;
  /** The last letters, where the next text follows without a blank. */
  lastLetters: string;
}

/** `subject`: what the text is to name. */
export function alternativeOf(element: Element, subject?: Element): string {
  if (isInSecret(element)) return "";
  const countsHidden = !element.checkVisibility({ visibilityProperty: true });
  return clean(read(element, { left: MOST_NODES, subject, countsHidden, lastLetters: "" }, true));
}

/** Whether a label has more in it than a name has room for. */
export function exceedsName(label: Element): boolean {
  const nodes = page.nodesIn(label);
  let letters = 0;
  for (let read = 0; nodes.nextNode(); read += 1) {
    const { currentNode } = nodes;
    if (currentNode instanceof Text && !isUnspoken(currentNode)) {
      letters += fold(currentNode.data).length;
    }
    if (letters > LONGEST_NAME || read >= MOST_NODES) return true;
  }
  return false;
}

/** In a field that stands for what it holds, or drawn by nobody. */
function isUnspoken({ parentElement: holder }: Text): boolean {
  return holder !== null && UNSPOKEN.has(tagOf(holder));
}

/** What stands for a picture; undefined for what is told by its content. */
export function pictureAlternative(element: Element, tag: string): string | undefined {
  switch (tag) {
    case "img":
    case "area":
      return clean(element.getAttribute("alt") ?? element.getAttribute("title"));
    case "svg":
      return drawingTitle(element) || undefined;
    default:
      return undefined;
  }
}

/** What a field holds, as part of a name; a secret says nothing. */
export function heldValue(element: Element, tag: string): string | undefined {
  if (tag === "input" || tag === "textarea" || tag === "select") {
    return isSecret(element) ? "" : embeddedValue(element, tag);
  }
  if (isSecret(element)) return "";
  if (!VALUED.has(element.getAttribute("role") ?? "")) return undefined;
  const value = element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow");
  return value === null ? undefined : clean(value);
}

/** `<title>` of a drawing. */
export function drawingTitle(svg: Element): string {
  return clean(firstChildOfTag(svg, "title")?.textContent ?? "");
}

function read(element: Element, reading: Reading, isFirst = false): string {
  reading.left -= 1;
  if (reading.left < 0 || element === reading.subject) return "";
  if (isClobbered(element)) return readChildren(element, "form", reading, "none");
  const tag = element.localName;
  if (SILENT.has(tag)) return "";
  if (tag === "br") return apart("", reading);
  const { display, visibility, textTransform } = getComputedStyle(element);
  if (!isFirst && !reading.countsHidden) {
    if (display === "none" || element.getAttribute("aria-hidden") === "true") return "";
  }
  const isSeen = reading.countsHidden || visibility === "visible";
  const own = isSeen ? spokenFor(element, tag) : undefined;
  if (own !== undefined) return apart(own, reading);
  const isInline = display === "inline";
  if (!isInline) reading.lastLetters = "";
  const text = readChildren(element, tag, reading, isSeen ? textTransform : undefined);
  return isInline ? text : apart(text, reading);
}

function apart(text: string, reading: Reading): string {
  reading.lastLetters = "";
  return ` ${text} `;
}

/** A field in a label stands for what it holds, whatever it is called. */
function spokenFor(element: Element, tag: string): string | undefined {
  return (
    heldValue(element, tag) ??
    (clean(element.getAttribute("aria-label")) || pictureAlternative(element, tag))
  );
}

/** `textTransform`: how its own text is drawn; undefined where that isn't seen. */
function readChildren(
  element: Element,
  tag: string,
  reading: Reading,
  textTransform: string | undefined,
): string {
  const nodes = drawnChildren(element, tag);
  // Asked only of icons: it costs more than all else.
  const isIcon = nodes.length === 0 && textTransform !== undefined;
  let text = isIcon ? generatedText(element, "::before") : "";
  for (const node of nodes) {
    if (reading.left <= 0) break;
    if (node instanceof Element) text += read(node, reading);
    else if (node instanceof Text && textTransform !== undefined) {
      const drawn = transformed(node.data, textTransform, () => reading.lastLetters);
      reading.lastLetters = drawn.slice(-2);
      text += drawn;
    }
  }
  return isIcon ? text + generatedText(element, "::after") : text;
}

function embeddedValue(element: Element, tag: string): string {
  if (tag === "select") {
    const chosen = [...(element as HTMLSelectElement).selectedOptions];
    return clean(chosen.map((option) => option.label).join(" "));
  }
  const field = element as HTMLInputElement;
  const holdsNoText = tag === "input" && /^(checkbox|radio|hidden|file)$/.test(field.type);
  return holdsNoText ? "" : clean(field.value);
}
