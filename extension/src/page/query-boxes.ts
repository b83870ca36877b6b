// Where elements are that have no box of their own to speak of: where something
// in them is. What is found out of one element counts for all around it.
import { boxOfArea, isArea } from "./areas";
import { isClobbered } from "./clobbered";
import { drawnChildren } from "./flat-tree";
import type { Sliced } from "./sliced";
import { contentRect, hasSize } from "./visibility";

/** Content that is gone through for the first box in it. */
interface Open {
  element: Element;
  children: Node[];
  next: number;
  /** Has no box, but its text may. */
  isBoxless: boolean;
}

export class QueryBoxes {
  /** Of elements that are too small to see; undefined if so is all that is in them. */
  readonly #inner = new Map<Element, DOMRect | undefined>();

  /** The element's own box, or that of something in it; undefined if all is too small to see. */
  *of(element: Element): Sliced<DOMRect | undefined> {
    if (isArea(element)) return sized(rectOf(element));
    const open: Open[] = [];
    let found = this.#begin(element, open);
    while (open.length > 0) {
      yield;
      const content = open[open.length - 1] as Open;
      const child = found ? undefined : content.children[content.next];
      content.next += 1;
      if (child instanceof Element) {
        found = this.#begin(child, open);
      } else if (!child) {
        if (content.isBoxless) found ??= sized(contentRect(content.element));
        this.#inner.set(content.element, found);
        open.pop();
      }
    }
    return found;
  }

  /** Its box, if that is known without a look at what is in it. */
  #begin(element: Element, open: Open[]): DOMRect | undefined {
    const rect = rectOf(element);
    if (hasSize(rect)) return rect;
    if (this.#inner.has(element)) return this.#inner.get(element);
    const { overflowX, display } = getComputedStyle(element);
    const isBoxless = display === "contents";
    // A small box that lets nothing flow out shows nothing, whatever is in it.
    const isClosed = overflowX !== "visible" && display !== "inline" && !isBoxless;
    if (isClosed || display === "none") return undefined;
    const tag = isClobbered(element) ? "form" : element.localName;
    open.push({ element, children: drawnChildren(element, tag), next: 0, isBoxless });
    return undefined;
  }
}

/** As the browser has it, however small; of an area, within its picture. */
export function rectOf(element: Element): DOMRect {
  const area = isArea(element) ? boxOfArea(element) : undefined;
  if (area) return area;
  return Element.prototype.getBoundingClientRect.call(element);
}

function sized(rect: DOMRect | undefined): DOMRect | undefined {
  return rect && hasSize(rect) ? rect : undefined;
}
