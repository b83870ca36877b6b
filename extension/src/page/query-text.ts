// The text that one element shows, read no further than it is told.
import { isClobbered } from "./clobbered";
import { drawnChildren } from "./flat-tree";
import { LEAVES } from "./sight";
import { fold, shorten } from "./text";

/** What is hidden takes time without giving text; whoever wants much may wait for it. */
const LEAST_NODES = 5_000;
const SILENT = new Set("script style noscript template datalist head title".split(" "));
const BUTTONS = new Set(["button", "reset", "submit"]);

/** `isHidden`: all of it is, so what is hidden in it counts. */
export function shownText(element: Element, letters: number, isHidden: boolean): string {
  let text = "";
  let left = Math.max(LEAST_NODES, letters);
  const waiting: (Node | string)[] = [element];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    left -= 1;
    // Some more than asked for, since folding makes it shorter.
    if (left < 0 || text.length > 2 * letters + 100) break;
    if (typeof next === "string") text += next;
    else if (next instanceof Text) text += isHidden || isSeen(next) ? fold(next.data) : "";
    else if (next instanceof Element)
      for (const part of partsOf(next, isHidden)) waiting.push(part);
  }
  return shorten(fold(text).trim(), letters);
}

/** Last one first, as a stack wants them. */
function partsOf(element: Element, isHidden: boolean): (Node | string)[] {
  const tag = isClobbered(element) ? "form" : element.localName;
  if (SILENT.has(tag)) return [];
  if (tag === "br") return [" "];
  if (LEAVES.has(tag)) return [labelOnButton(element)];
  const { display, opacity } = getComputedStyle(element);
  if (!isHidden && (display === "none" || opacity === "0")) return [];
  const children = drawnChildren(element, tag).reverse();
  const isInline = display === "inline" || display === "contents";
  return isInline ? children : [" ", ...children, " "];
}

function isSeen({ parentElement }: Text): boolean {
  return !parentElement || getComputedStyle(parentElement).visibility === "visible";
}

function labelOnButton(leaf: Element): string {
  return leaf instanceof HTMLInputElement && BUTTONS.has(leaf.type) ? leaf.value : "";
}
