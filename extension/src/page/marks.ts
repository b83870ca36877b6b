// What a person sees of words beside the words themselves: that they are struck
// out, raised or lowered. Without a mark they would be other words, or another
// number. Names have none: they are read as they are spoken.
import { textOf } from "./clobbered";
import type { Seen } from "./sight";
import { clean } from "./text";

const STRUCK = new Set(["s", "del", "strike"]);

/** A power, a note or cents; not the ending of an ordinal. */
const RAISED = /^[-+−]?(\d{1,4}|[a-z])$/i;

/** What stands before and after the words of an element. */
export type Marks = readonly [before: string, after: string];

export const NO_MARKS: Marks = ["", ""];

/** Of an element that stands in a line. */
export function marksInLine(seen: Seen): Marks {
  const { element, tag, style } = seen;
  if (tag === "sup") return isRaised(element) ? ["^", endOf(element)] : NO_MARKS;
  if (tag === "sub") return isAmbiguous(element) ? ["_", endOf(element)] : NO_MARKS;
  const isStruck = STRUCK.has(tag) || isStruckOut(style);
  return isStruck && clean(element.textContent) ? ["~~", "~~"] : NO_MARKS;
}

/** Of a block: only where its text is one line, which a mark can be put around. */
export function marksOfBlock({ element, style }: Seen): Marks {
  const isLine = element.firstElementChild === null;
  return isLine && isStruckOut(style) && clean(textOf(element)) ? ["~~", "~~"] : NO_MARKS;
}

function isStruckOut({ textDecorationLine }: CSSStyleDeclaration): boolean {
  return textDecorationLine !== "none" && textDecorationLine.includes("line-through");
}

function isRaised(element: Element): boolean {
  return RAISED.test(clean(element.textContent));
}

/** H2O is read without a mark; a logarithm to base 2 of 8 isn't. */
function isAmbiguous(element: Element): boolean {
  if (!isRaised(element)) return false;
  const before = element.previousSibling?.textContent ?? "";
  const after = element.nextSibling?.textContent ?? "";
  return /\d$/.test(before) || /^\d/.test(after);
}

/** A digit right after it is none of its own. */
function endOf(element: Element): string {
  return /^\d/.test(element.nextSibling?.textContent ?? "") ? " " : "";
}
