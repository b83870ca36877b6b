// Why a person can't see an element, or what lies over it. Asked of elements one
// by one, so what is read of their ancestors is kept for the next one.
import { closest, page, parentOf } from "./clobbered";
import { isRestyledInput } from "./controls";
import { describeElement, elementAt, isPartOf } from "./hit";
import { isSecret } from "./secrets";
import { selectAll } from "./selectors";
import { hasSize } from "./visibility";

export type HiddenBy = "display" | "visibility" | "opacity" | "size" | "off_page" | "clipped";

/** What matters of a box around others. */
interface Box {
  /** Undefined if nothing of what flows out of it is cut off. */
  clip: DOMRect | undefined;
  /** What it cuts off can't be scrolled to. */
  isFinal: boolean;
  position: string;
}

export class QuerySight {
  readonly #boxes = new Map<Element, Box>();
  readonly #isRightToLeft = isRightToLeft(page.documentElement);

  hiddenBy(element: Element): HiddenBy | undefined {
    const subject = (isOption(element) && closest(element, "select")) || element;
    const { display, visibility, position } = getComputedStyle(subject);
    const isBoxless = display === "contents";
    const drawn = isBoxless ? (parentOf(subject) ?? subject) : subject;
    const isRestyled = !isBoxless && isRestyledInput(subject);
    if (!checkVisibility(drawn, {})) return "display";
    if (visibility !== "visible") return "visibility";
    if (!isRestyled && !checkVisibility(drawn, { opacityProperty: true })) return "opacity";
    const rect = boxOf(subject);
    if (!rect) return "size";
    if (this.#isOffPage(rect, position)) return "off_page";
    return this.#isCutOff(subject, rect, true) ? "clipped" : undefined;
  }

  /** What would get a click at the middle of what is in view of the element. */
  coveredBy(element: Element): string | undefined {
    const rect = boxOf(element);
    if (!rect) return undefined;
    const x = (Math.max(0, rect.left) + Math.min(innerWidth, rect.right)) / 2;
    const y = (Math.max(0, rect.top) + Math.min(innerHeight, rect.bottom)) / 2;
    const hit = elementAt(x, y);
    // What holds the element doesn't cover it: it only lets nothing through.
    if (!hit || isPartOf(hit, element) || isPartOf(element, hit)) return undefined;
    // Scrolled out of a box around it.
    if (this.#isCutOff(element, new DOMRect(x, y, 0, 0), false)) return undefined;
    return isSecret(hit) ? hit.localName : describeElement(hit);
  }

  /** Where nobody can scroll to. */
  #isOffPage({ right, bottom }: DOMRect, position: string): boolean {
    const isFixed = position === "fixed";
    const isLeft = !this.#isRightToLeft && right <= (isFixed ? 0 : -scrollX);
    return isLeft || bottom <= (isFixed ? 0 : -scrollY);
  }

  /** Whether boxes around it leave nothing of a rectangle; `isFinal`: for good. */
  #isCutOff(element: Element, { left, top, right, bottom }: DOMRect, isFinal: boolean): boolean {
    let { position } = getComputedStyle(element);
    for (let outer = parentOf(element); outer; outer = parentOf(outer)) {
      if (position === "fixed") return false;
      const box = this.#boxAround(outer);
      // What is placed absolutely only minds the boxes that are placed themselves.
      if (position === "absolute" && box.position === "static") continue;
      position = box.position;
      if (!box.clip || (isFinal && !box.isFinal)) continue;
      const { clip } = box;
      if (right < clip.left || left > clip.right || bottom < clip.top || top > clip.bottom)
        return true;
      if (isFinal && !hasSize(clip)) return true;
    }
    return false;
  }

  #boxAround(element: Element): Box {
    const known = this.#boxes.get(element);
    if (known) return known;
    const { overflowX, overflowY, position, display } = getComputedStyle(element);
    // The page's own scrolling is not a box in the page.
    const isPage = element === page.root || element === page.documentElement;
    const clips = !isPage && display !== "inline" && display !== "contents";
    const box = {
      clip: clips && overflowX !== "visible" ? rectOf(element) : undefined,
      isFinal: !/auto|scroll/.test(overflowX + overflowY),
      position,
    };
    this.#boxes.set(element, box);
    return box;
  }
}

/** Seen where its list is, open or not. */
function isOption(element: Element): boolean {
  return element instanceof HTMLOptionElement || element instanceof HTMLOptGroupElement;
}

export function rectOf(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

/** The element's own box, or that of something in it; undefined if all is too small to see. */
function boxOf(element: Element): DOMRect | undefined {
  const rect = rectOf(element);
  if (hasSize(rect)) return rect;
  // A small box that lets nothing flow out shows nothing, whatever is in it.
  const { overflowX, display } = getComputedStyle(element);
  if (overflowX !== "visible" && display !== "inline" && display !== "contents") return undefined;
  for (const inner of selectAll(element, "*")) {
    const inside = rectOf(inner);
    if (hasSize(inside)) return inside;
  }
  return display === "contents" ? textBox(element) : undefined;
}

function textBox(element: Element): DOMRect | undefined {
  const rect = page.rangeOf(element).getBoundingClientRect();
  return hasSize(rect) ? rect : undefined;
}

function checkVisibility(element: Element, options: CheckVisibilityOptions): boolean {
  return Element.prototype.checkVisibility.call(element, options);
}

function isRightToLeft(root: Element | null): boolean {
  return root !== null && getComputedStyle(root).direction === "rtl";
}
