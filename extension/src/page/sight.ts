// Judges one element on the walk's way down: whether a person can see it, what
// it is, whether it can be used. Boxes are read only where they matter, since
// on large pages reading them is what a walk costs; and nothing is asked that
// makes the browser climb back up (`checkVisibility`, `closest`, `getRootNode`),
// since on deep pages that would cost the square of their depth.
import { Flag } from "../protocol/generated";
import { boxOfArea, isArea } from "./areas";
import { isFixedBeside, isOutOfView } from "./beside-view";
import { boundsOf, isClobbered, page } from "./clobbered";
import { type ControlKind, controlKind, isRestyledInput } from "./controls";
import { isCutAway } from "./cut-away";
import type { Naming } from "./naming";
import { isPartOfPage, roleOf } from "./roles";
import { type ScrolledBy, scrolledInside } from "./scrolled-by";
import { keepStyles, styleOf } from "./styles";
import { contentRect, SPECK_PX } from "./visibility";

/** Their content is theirs, not text of the page. */
export const LEAVES = new Set(
  "input select textarea iframe frame img canvas video audio meter progress embed".split(" "),
);

/** No line of text is lower than this. */
const LEAST_CUT_PX = 10;

/** Their border is not what they show. */
const FRAMED = new Set(["iframe", "frame"]);

const TABLE_PARTS = new Set("tr td th thead tbody tfoot caption".split(" "));

/** Attributes that make an element more than its tag says. */
const MARKED = [
  ...["role", "onclick", "tabindex", "contenteditable", "placeholder", "popover", "draggable"],
  ...["label", "labelledby", "level", "expanded", "selected", "disabled", "pressed", "checked"].map(
    (name) => `aria-${name}`,
  ),
  ...["required", "invalid", "valuenow", "valuetext", "placeholder"].map((name) => `aria-${name}`),
  ...["current", "busy", "modal", "hidden"].map((name) => `aria-${name}`),
]
  .map((name) => `[${name}]`)
  .join(",");

/** What `Sight` must know of the ancestors. */
export interface Surroundings {
  cursor: string;
  /** Laid out side by side, so that blocks don't break the line. */
  isRow: boolean;
  isLayoutTable: boolean;
  /** In an article, a section or the like: a header there is not the page's. */
  isInPart: boolean;
  /** Gathers a control's name, where text for screen readers counts. */
  naming: Naming | undefined;
  /** Nothing in here can be seen, whatever it says of itself. */
  isBuried: boolean;
  /** How far boxes around it are scrolled; one can scroll back so far. */
  scrolledBy: ScrolledBy;
  /** In something that is fixed beside what is in view. */
  isBeside: boolean;
}

/** `none`: there is no such thing, or it is shown all the same. */
export type Overflow = "none" | "scrolls" | "cut off";

export interface Seen {
  element: Element;
  tag: string;
  style: CSSStyleDeclaration;
  role: string;
  /** Has an attribute that may say more of it than its tag does. */
  isMarked: boolean;
  kind: ControlKind;
  /** A person can't see the element itself; its children may be seen all the same. */
  isHidden: boolean;
  /** Hidden, and nobody asked for what is hidden. */
  isLeftOut: boolean;
  /** Whatever is in it can't be seen. */
  buriesContent: boolean;
  /** Has no box of its own, only children. */
  isBoxless: boolean;
  isBlock: boolean;
  /** On one line with its neighbours, but not part of the same words. */
  isApart: boolean;
  isRow: boolean;
  cursor: string;
  /** Of an element that is on top of the page. */
  isOnTop: boolean;
  /** How far boxes around it are scrolled, and for what is in it, those with itself. */
  scrolledBy: ScrolledBy;
  scrolledInside: ScrolledBy;
  isBeside: boolean;
  /** Not read yet if undefined. */
  rect: DOMRect | undefined;
  /** What it does with what it has no room for, below its own lower edge. */
  overflow: Overflow;
}

export class Sight {
  readonly #includesHidden: boolean;
  readonly #width = innerWidth;
  readonly #height = innerHeight;
  /** Pages written from right to left scroll that way too. */
  readonly #left = isRightToLeft(page.documentElement) ? Number.NEGATIVE_INFINITY : -scrollX;
  readonly #top = -scrollY;

  constructor(includesHidden: boolean) {
    this.#includesHidden = includesHidden;
    keepStyles();
  }

  /**
   * Undefined if neither the element nor anything in it is to be told. Of what is in a
   * shut box, only what stands outside of it is.
   */
  look(element: Element, tag: string, around: Surroundings): Seen | "shut" | undefined {
    const style = styleOf(element);
    const { display } = style;
    const tellsHidden = this.tellsHidden(around);
    const area = tag === "area" && isArea(element) ? boxOfArea(element) : undefined;
    const isInline = display === "inline";
    const position = isInline ? "static" : style.position;
    const isGone = area
      ? false
      : display === "none" ||
        // Gone for the eye, but not for a name.
        (around.naming === undefined &&
          (style.opacity === "0" || (!isInline && isCutAway(style, position))) &&
          !isRestyledInput(element));
    if (isGone && (!tellsHidden || isNeverShown(element))) return undefined;
    // It left the page while the walk paused.
    if (display === "") return undefined;
    if (display === "contents") return this.#boxless(element, tag, around, style, tellsHidden);
    const isLeaf = LEAVES.has(tag);
    const isBoxed = isLeaf || (!isInline && style.overflowX !== "visible");
    const rect = area ?? (isBoxed ? boundsOf(element) : undefined);
    const isShutBox = rect !== undefined && isShut(element, tag, rect, around);
    if (isShutBox && !tellsHidden) return "shut";
    // A form that can't be asked about itself is judged by its style and box alone.
    const isMute = isClobbered(element, tag);
    const isMarked = !isMute && element.hasAttributes() && element.matches(MARKED);
    const role =
      isMute || (around.isLayoutTable && TABLE_PARTS.has(tag))
        ? ""
        : roleOf(element, tag, isMarked, around.isInPart);
    const { cursor } = style;
    const isLost = around.isBuried || isGone || isShutBox;
    const seen: Seen = {
      element,
      tag,
      style,
      role,
      isMarked,
      kind: isMute ? "no" : controlKind(element, tag, role, isMarked, cursor, around.cursor),
      isHidden: isLost || style.visibility !== "visible",
      isLeftOut: false,
      buriesContent: isLost || (!isInline && style.contentVisibility === "hidden"),
      isBoxless: false,
      isBlock: !isInline && isBlockDisplay(display) && !around.isRow,
      isApart:
        around.isRow || (!isInline && (display.startsWith("inline-") || display === "table-cell")),
      isRow: !isInline && display.endsWith("flex") && style.flexDirection.startsWith("row"),
      cursor,
      isOnTop: false,
      scrolledBy: around.scrolledBy,
      scrolledInside: isBoxed
        ? scrolledInside(element, tag, style, around.scrolledBy)
        : around.scrolledBy,
      isBeside: around.isBeside,
      rect,
      overflow: isBoxed && !isShutBox && !isMute ? overflowOf(element, tag, style) : "none",
    };
    if (position === "fixed") seen.isBeside = isFixedBeside(element, this.rectOf(seen));
    const isToldByItself = isLeaf || seen.kind !== "no" || tellsHidden;
    if (!seen.isHidden && isToldByItself) seen.isHidden = this.isOffPage(seen);
    seen.isLeftOut = seen.isHidden && !tellsHidden;
    if (seen.isLeftOut) seen.kind = "no";
    return seen;
  }

  /** A button or a link may have no box, either; it is where its content is. */
  #boxless(
    element: Element,
    tag: string,
    around: Surroundings,
    style: CSSStyleDeclaration,
    tellsHidden: boolean,
  ): Seen {
    const seen = boxless(element, tag, around, style, tellsHidden);
    if (LEAVES.has(tag) || isClobbered(element, tag)) return seen;
    const isMarked = element.hasAttributes() && element.matches(MARKED);
    const role = roleOf(element, tag, isMarked, around.isInPart);
    const kind = controlKind(element, tag, role, isMarked, seen.cursor, around.cursor);
    if (kind !== "yes") return seen;
    const rect = contentRect(element);
    const isHidden = seen.isHidden || this.isOffPage({ ...seen, rect });
    if (isHidden && !tellsHidden) return seen;
    return { ...seen, isMarked, role, kind, rect, isHidden, isBoxless: false };
  }

  /** A name is what it is without the hidden parts, unless all that it names is hidden. */
  tellsHidden({ naming }: Surroundings): boolean {
    return this.#includesHidden && (naming === undefined || naming.isOfHidden);
  }

  /** Where the element is; read now if it wasn't before. */
  rectOf(seen: Seen): DOMRect {
    seen.rect ??= boundsOf(seen.element);
    return seen.rect;
  }

  flagsOf(seen: Seen): number {
    return this.knownFlags(seen) | this.boxFlags(seen);
  }

  /** For which no box has to be read. */
  knownFlags(seen: Seen): number {
    return (seen.isOnTop ? Flag.OnTop : 0) | (this.#isToldHidden(seen) ? Flag.Hidden : 0);
  }

  boxFlags(seen: Seen): number {
    return !this.#isToldHidden(seen) && this.isInView(this.rectOf(seen)) ? Flag.InViewport : 0;
  }

  /** If nobody asked for what is hidden, there is something in it to be seen. */
  #isToldHidden(seen: Seen): boolean {
    return this.#includesHidden && seen.isHidden;
  }

  isInView({ left, top, right, bottom, width, height }: DOMRect): boolean {
    const isWithin = bottom > 0 && right > 0 && top < this.#height && left < this.#width;
    return isWithin && width > 0 && height > 0;
  }

  /** Where nobody can scroll to. */
  isOffPage(seen: Seen): boolean {
    const rect = this.rectOf(seen);
    if (seen.isBeside) return isOutOfView(rect);
    const { right, bottom } = rect;
    const { left, top } = seen.scrolledBy;
    return right < this.#left - left || bottom < this.#top - top;
  }
}

/** Surroundings of what is in an element: mostly those of the element itself. */
export function inside<Around extends Surroundings>(seen: Seen, around: Around): Around {
  const isInPart = around.isInPart || isPartOfPage(seen.tag);
  const isSame =
    around.cursor === seen.cursor &&
    around.isRow === seen.isRow &&
    around.isInPart === isInPart &&
    around.isBuried === seen.buriesContent &&
    around.scrolledBy === seen.scrolledInside &&
    around.isBeside === seen.isBeside;
  if (isSame) return around;
  return {
    ...around,
    cursor: seen.cursor,
    isRow: seen.isRow,
    isInPart,
    isBuried: seen.buriesContent,
    scrolledBy: seen.scrolledInside,
    isBeside: seen.isBeside,
  };
}

function isRightToLeft(root: Element | null): boolean {
  return root !== null && getComputedStyle(root).direction === "rtl";
}

function boxless(
  element: Element,
  tag: string,
  { cursor, isRow, isBuried, scrolledBy, isBeside }: Surroundings,
  style: CSSStyleDeclaration,
  tellsHidden: boolean,
): Seen {
  const isHidden = isBuried || style.visibility !== "visible";
  return {
    element,
    tag,
    style,
    role: "",
    isMarked: false,
    kind: "no",
    isHidden,
    isLeftOut: isHidden && !tellsHidden,
    buriesContent: isBuried,
    isBoxless: true,
    isBlock: false,
    isApart: false,
    isRow,
    cursor,
    isOnTop: false,
    scrolledBy,
    scrolledInside: scrolledBy,
    isBeside,
    rect: undefined,
    overflow: "none",
  };
}

/** Filled by the page alone; what it holds was never meant for eyes. */
function isNeverShown(element: Element): boolean {
  return element instanceof HTMLInputElement && element.type === "hidden";
}

/** A box that hides what flows out of it, and is too small to show anything. */
function isShut(
  element: Element,
  tag: string,
  { width, height }: DOMRect,
  { naming }: Surroundings,
): boolean {
  if (FRAMED.has(tag)) return element.clientWidth <= SPECK_PX || element.clientHeight <= SPECK_PX;
  if (width > SPECK_PX && height > SPECK_PX) return false;
  // What is said of the page's overflow is meant for the window.
  if (tag === "body" || tag === "html") return false;
  // Text for screen readers is dropped, except where it names an icon.
  return isRestyledInput(element) || naming === undefined;
}

/** The page itself is no box in the page. */
function overflowOf(element: Element, tag: string, { overflowY }: CSSStyleDeclaration): Overflow {
  if (overflowY === "visible" || LEAVES.has(tag) || tag === "html" || tag === "body") return "none";
  if (element.scrollHeight - element.clientHeight < LEAST_CUT_PX) return "none";
  return overflowY === "auto" || overflowY === "scroll" ? "scrolls" : "cut off";
}

function isBlockDisplay(display: string): boolean {
  return !display.startsWith("inline") && display !== "table-cell" && !display.startsWith("ruby");
}
