// The text that one element shows, read no further than it is told, and without
// what is written in secret fields.
import { isClobbered } from "./clobbered";
import { isEditingHost } from "./controls";
import { drawnChildren } from "./flat-tree";
import { isInSecret, isSecret } from "./secrets";
import { LEAVES } from "./sight";
import type { Sliced } from "./sliced";
import { fold, preservedText, shorten } from "./text";

/** What is hidden takes time without giving text; whoever wants much may wait for it. */
const LEAST_NODES = 5_000;
const SILENT = new Set("script style noscript template datalist head title".split(" "));
const BUTTONS = new Set(["button", "reset", "submit"]);

interface Reading {
  letters: number;
  /** All of it is, so what is hidden in it counts. */
  isHidden: boolean;
  /** Lines stay lines. */
  isInLines: boolean;
  /** Without what is written in parts that can be written in. */
  leavesTyped?: true;
}

/** On one line. `isHidden`: all of it is. */
export function* shownText(element: Element, letters: number, isHidden: boolean): Sliced<string> {
  const text = yield* read(element, { letters, isHidden, isInLines: false });
  return shorten(fold(text).trim(), letters);
}

/** Line by line, as it is drawn. */
export function* shownLines(element: Element, letters: number): Sliced<string> {
  return asLines(yield* read(element, { letters, isHidden: false, isInLines: true }), letters);
}

/** The same without what the user writes. */
export function* linesNotTyped(element: Element, letters: number): Sliced<string> {
  if (document.designMode === "on") return "";
  const reading = { letters, isHidden: false, isInLines: true, leavesTyped: true } as const;
  return asLines(yield* read(element, reading), letters);
}

function asLines(text: string, letters: number): string {
  const lines = text.replace(/[ \t]+\n/g, "\n").replace(/\n{2,}/g, "\n");
  return shorten(lines.trim(), letters);
}

function* read(element: Element, reading: Reading): Sliced<string> {
  if (isInSecret(element)) return "";
  const { letters } = reading;
  // Joined at the end: to look at a string that grows is slow.
  const texts: string[] = [];
  let length = 0;
  let left = Math.max(LEAST_NODES, letters);
  const waiting: (Node | string)[] = [element];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    left -= 1;
    yield;
    // Some more than asked for, since folding makes it shorter.
    if (left < 0 || length > 2 * letters + 100) break;
    if (next instanceof Element) {
      for (const part of partsOf(next, reading)) waiting.push(part);
    } else if (next !== "" && (typeof next === "string" || next instanceof Text)) {
      const isFirst = texts.length === 0 || (texts.at(-1)?.endsWith("\n") ?? false);
      const text = typeof next === "string" ? next : textOf(next, reading, isFirst);
      texts.push(text);
      length += text.length;
    }
  }
  return texts.join("");
}

/** Last one first, as a stack wants them. */
function partsOf(
  element: Element,
  { isHidden, isInLines, leavesTyped }: Reading,
): (Node | string)[] {
  const tag = isClobbered(element) ? "form" : element.localName;
  if (SILENT.has(tag)) return [];
  const between = isInLines ? "\n" : " ";
  if (tag === "br") return [between];
  if (LEAVES.has(tag)) return [labelOnButton(element)];
  if (isSecret(element) || (leavesTyped && isEditingHost(element))) return [];
  const { display, opacity } = getComputedStyle(element);
  if (!isHidden && (display === "none" || opacity === "0")) return [];
  const children = drawnChildren(element, tag).reverse();
  if (display === "inline" || display === "contents") return children;
  // The cells of a row are on one line.
  if (isInLines && display === "table-cell") return [" ", ...children];
  return [between, ...children, between];
}

/** `isFirst`: of its line, where no blank is drawn. */
function textOf(
  { data, parentElement }: Text,
  { isHidden, isInLines }: Reading,
  isFirst: boolean,
): string {
  const folded = isFirst ? fold(data).trimStart() : fold(data);
  if (!parentElement || (isHidden && !isInLines)) return folded;
  const { visibility, whiteSpaceCollapse } = getComputedStyle(parentElement);
  if (!isHidden && visibility !== "visible") return "";
  return (isInLines && preservedText(data, whiteSpaceCollapse)) || folded;
}

/** A page may make a button of a password field. */
export function labelOnButton(leaf: Element): string {
  const isButton = leaf instanceof HTMLInputElement && BUTTONS.has(leaf.type);
  return isButton && !isSecret(leaf) ? leaf.value : "";
}
