// Boxes that show no more than the first lines of what is in them: after the last
// words of such a box it is said that they are cut off. Not where one can scroll to
// them, nor of what is placed outside of the box.
import { matches, page, parentOf } from "./clobbered";
import type { Lines } from "./lines";
import type { Seen, Sight } from "./sight";
import { styleOf } from "./styles";

const CUT_OFF = "(cut off)";
/** No further up is looked for what places an element. */
const MOST_LEVELS = 256;
/** Properties by which an element places what is fixed in it, and one that cuts it off. */
const MOVING = [
  "transform",
  "translate",
  "rotate",
  "scale",
  "filter",
  "backdropFilter",
  "perspective",
  "clipPath",
] as const;
const WILL_MOVE = /transform|translate|rotate|scale|filter|perspective|contain/;
const CONTAINING = /paint|layout|strict|content/;

/** What was told last of a box that may not show it, or of what no box around it hides. */
export interface Cut {
  /** Undefined for the latter: one can scroll to it, or it stands elsewhere. */
  box: Seen | undefined;
  text: Text | Element | undefined;
  lines: Lines;
  parent: number;
  /** The node of the text. */
  at: number;
}

export class Cuts {
  readonly #sight: Sight;
  /** Of each such box that the walk is in. */
  readonly #open: Cut[] = [];

  constructor(sight: Sight) {
    this.#sight = sight;
  }

  begin(seen: Seen, lines: Lines): Cut | undefined {
    const isCutting = seen.overflow === "cut off";
    const around = this.#open.at(-1)?.box;
    const isSpared =
      around &&
      (seen.overflow === "scrolls" ||
        standsOutside(seen.element, seen.style.position, around.element));
    if (!isCutting && !isSpared) return undefined;
    const cut = { box: isCutting ? seen : undefined, text: undefined, lines, parent: -1, at: -1 };
    this.#open.push(cut);
    return cut;
  }

  told(text: Text | Element, lines: Lines, parent: number, at = lines.nodes.length - 1): void {
    const cut = this.#open.at(-1);
    if (cut) Object.assign(cut, { text, lines, parent, at });
  }

  /** Says so where the last line of a box is below what it shows. */
  end({ box, text, lines, parent, at }: Cut): void {
    this.#open.pop();
    if (!box || !text) return;
    const { bottom } = this.#sight.rectOf(box);
    if (middleOfEnd(text) > bottom) lines.markEnd(at, parent, CUT_OFF);
    else this.told(text, lines, parent, at);
  }
}

/** Placed by something that is not in the box, so the box cuts nothing off of it. */
export function standsOutside(element: Element, position: string, box: Element): boolean {
  if (position !== "fixed" && position !== "absolute") return false;
  if (matches(element, ":modal, :popover-open, :fullscreen")) return true;
  let holder = parentOf(element);
  for (let levels = 0; holder && levels < MOST_LEVELS; levels += 1) {
    const style = styleOf(holder);
    const isPlacing = position === "absolute" && style.position !== "static";
    if (isPlacing || placesAll(style)) return false;
    if (holder === box) return true;
    holder = parentOf(holder);
  }
  return false;
}

/** Whether even what is fixed is placed by such an element, or cut off by it. */
function placesAll(style: CSSStyleDeclaration): boolean {
  return (
    MOVING.some((property) => style[property] !== "none" && style[property] !== "") ||
    WILL_MOVE.test(style.willChange) ||
    CONTAINING.test(style.contain) ||
    style.contentVisibility === "auto"
  );
}

/** How far down the last letter is; the one letter, since a text may have very many lines. */
function middleOfEnd(holder: Text | Element): number {
  const node = holder instanceof Text ? holder : lastTextIn(holder);
  if (!node) return Number.NEGATIVE_INFINITY;
  const end = node.data.trimEnd().length;
  const range = page.rangeOf(node);
  range.setStart(node, Math.max(0, end - 1));
  range.setEnd(node, end);
  const { top, height } = range.getBoundingClientRect();
  return top + height / 2;
}

function lastTextIn(element: Element): Text | undefined {
  const texts = page.textsIn(element);
  let last: Text | undefined;
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    if (text.data.trim() !== "") last = text;
  }
  return last;
}
