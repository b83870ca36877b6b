// Judges one element on the walk's way down: whether a person can see it, what
// it is, whether it can be used. Boxes are read only where they matter, since
// on large pages reading them is what a walk costs.
import { Flag } from "../protocol/generated";
import { type ControlKind, controlKind, isRestyledInput } from "./controls";
import { roleOf } from "./roles";
import { SPECK_PX } from "./visibility";

/** Their content is theirs, not text of the page. */
export const LEAVES = new Set(
  "input select textarea iframe frame img canvas video audio meter progress".split(" "),
);

const TABLE_PARTS = new Set("tr td th thead tbody tfoot caption".split(" "));

const MARKED = [
  ...["role", "onclick", "tabindex", "contenteditable", "placeholder"],
  ...["label", "labelledby", "level", "expanded", "selected", "disabled", "pressed", "checked"].map(
    (name) => `aria-${name}`,
  ),
  ...["required", "invalid", "valuenow", "valuetext", "placeholder"].map((name) => `aria-${name}`),
]
  .map((name) => `[${name}]`)
  .join(",");

const VISIBLE = { opacityProperty: true, visibilityProperty: true };

/** What `Sight` must know of the ancestors. */
export interface Surroundings {
  cursor: string;
  /** Laid out side by side, so that blocks don't break the line. */
  isRow: boolean;
  isLayoutTable: boolean;
  /** Part of a control's name, where text for screen readers counts. */
  isNaming: boolean;
}

export interface Seen {
  element: Element;
  tag: string;
  role: string;
  /** Has an attribute that may say more of it than its tag does. */
  isMarked: boolean;
  kind: ControlKind;
  /** The element itself; its children may be seen all the same. */
  isVisible: boolean;
  /** Has no box of its own, only children. */
  isBoxless: boolean;
  isBlock: boolean;
  /** On one line with its neighbours, but not part of the same words. */
  isApart: boolean;
  isRow: boolean;
  cursor: string;
  /** Not read yet if undefined. */
  rect: DOMRect | undefined;
  /** Whether text in its box can be seen at all; not judged yet if undefined. */
  showsText?: boolean;
}

export class Sight {
  readonly #width = innerWidth;
  readonly #height = innerHeight;
  /** Pages written from right to left scroll that way too. */
  readonly #left =
    getComputedStyle(document.documentElement).direction === "rtl"
      ? Number.NEGATIVE_INFINITY
      : -scrollX;
  readonly #top = -scrollY;
  readonly #marks = new Marks();

  /** Undefined if neither the element nor anything in it can be seen. */
  look(element: Element, tag: string, around: Surroundings): Seen | undefined {
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === "none") return undefined;
    const isPlainlyVisible = element.checkVisibility(VISIBLE);
    if (display === "contents") return boxless(element, tag, around, style);
    if (!isPlainlyVisible && isCutOff(element, style)) return undefined;
    const isLeaf = LEAVES.has(tag);
    const isBlock = isBlockDisplay(display);
    const rect =
      isLeaf || (display !== "inline" && style.overflowX !== "visible")
        ? element.getBoundingClientRect()
        : undefined;
    if (rect && isShut(element, rect, around.isNaming)) return undefined;
    const isMarked = this.#marks.has(element);
    const role = around.isLayoutTable && TABLE_PARTS.has(tag) ? "" : roleOf(element, tag, isMarked);
    // It is inherited: below a pointer nothing new is to be learnt.
    const cursor = around.cursor === "pointer" ? around.cursor : style.cursor;
    const seen: Seen = {
      element,
      tag,
      role,
      isMarked,
      kind: controlKind(element, tag, role, isMarked, cursor, around.cursor),
      isVisible: isPlainlyVisible || style.visibility === "visible",
      isBoxless: false,
      isBlock: isBlock && !around.isRow,
      isApart: around.isRow || display.startsWith("inline-") || display === "table-cell",
      isRow: display.endsWith("flex") && style.flexDirection.startsWith("row"),
      cursor,
      rect,
    };
    if (seen.kind !== "no" && this.isOffPage(seen)) seen.isVisible = false;
    if (!seen.isVisible) seen.kind = "no";
    return seen;
  }

  /** Where the element is; read now if it wasn't before. */
  rectOf(seen: Seen): DOMRect {
    seen.rect ??= seen.element.getBoundingClientRect();
    return seen.rect;
  }

  flagsOf(seen: Seen): number {
    const { left, top, right, bottom, width, height } = this.rectOf(seen);
    const isInViewport =
      bottom > 0 &&
      right > 0 &&
      top < this.#height &&
      left < this.#width &&
      width > 0 &&
      height > 0;
    return isInViewport ? Flag.InViewport : 0;
  }

  showsText(seen: Seen): boolean {
    seen.showsText ??=
      !this.isOffPage(seen) && getComputedStyle(seen.element).contentVisibility !== "hidden";
    return seen.showsText;
  }

  /** Where nobody can scroll to. */
  isOffPage(seen: Seen): boolean {
    const { right, bottom } = this.rectOf(seen);
    return right < this.#left || bottom < this.#top;
  }
}

/**
 * The elements with an attribute that makes them more than their tag says. One
 * query a tree is cheaper than a dozen questions an element.
 */
class Marks {
  readonly #marked = new Set<Element>();
  readonly #known = new Set<Node>();

  has(element: Element): boolean {
    const root = element.getRootNode();
    if (!this.#known.has(root)) {
      this.#known.add(root);
      for (const marked of (root as ParentNode).querySelectorAll(MARKED)) this.#marked.add(marked);
    }
    return this.#marked.has(element);
  }
}

function boxless(
  element: Element,
  tag: string,
  { cursor, isRow }: Surroundings,
  { visibility }: CSSStyleDeclaration,
): Seen {
  return {
    element,
    tag,
    role: "",
    isMarked: false,
    kind: "no",
    isVisible: visibility === "visible",
    isBoxless: true,
    isBlock: false,
    isApart: false,
    isRow,
    cursor,
    rect: undefined,
  };
}

/** Not only invisible itself, as `visibility` makes it, but with all that is in it. */
function isCutOff(element: Element, { opacity }: CSSStyleDeclaration): boolean {
  if (opacity === "0") return !isRestyledInput(element);
  return !element.checkVisibility();
}

/** A box that hides what flows out of it, and is too small to show anything. */
function isShut(element: Element, { width, height }: DOMRect, isNaming: boolean): boolean {
  if (width > SPECK_PX && height > SPECK_PX) return false;
  // Text for screen readers is dropped, except where it names an icon.
  return isRestyledInput(element) || !isNaming;
}

function isBlockDisplay(display: string): boolean {
  return !display.startsWith("inline") && display !== "table-cell" && !display.startsWith("ruby");
}
