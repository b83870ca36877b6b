// Why a person can't see an element, or what lies over it. Asked of elements one
// by one, so what is read of others on the way is kept for the next one.
import { imageOfArea, isArea } from "./areas";
import { isFixedBeside, isOutOfView } from "./beside-view";
import { Clips } from "./clips";
import { closest, page } from "./clobbered";
import { isRestyledInput } from "./controls";
import { describeElement, elementAt, isPartOf } from "./hit";
import { QueryBoxes } from "./query-boxes";
import { isSecret } from "./secrets";
import type { Sliced } from "./sliced";
import { boxAround } from "./visibility";

export type HiddenBy = "display" | "visibility" | "opacity" | "size" | "off_page" | "clipped";

/** For as long as the page stays as it is. */
export class QuerySight {
  readonly #boxes = new QueryBoxes();
  readonly #clips = new Clips();
  readonly #descriptions = new Map<Element, string>();
  readonly #isRightToLeft = isRightToLeft(page.documentElement);

  *hiddenBy(element: Element): Sliced<HiddenBy | undefined> {
    const goneBy = yield* this.#goneBy(element);
    if (goneBy) return goneBy;
    const rect = yield* this.boxOf(element);
    return rect && this.#clips.cutsOff(shownFor(element), rect, true) ? "clipped" : undefined;
  }

  /** Whether the walk leaves it out. What a box cuts off is told, since a page may show it yet. */
  *isGone(element: Element): Sliced<boolean> {
    return (yield* this.#goneBy(element)) !== undefined;
  }

  *#goneBy(element: Element): Sliced<HiddenBy | undefined> {
    const subject = shownFor(element);
    const { display, visibility, position } = getComputedStyle(subject);
    const isBoxless = display === "contents";
    const drawn = isBoxless ? boxAround(subject) : subject;
    if (!checkVisibility(drawn, {})) return "display";
    if (visibility !== "visible") return "visibility";
    // What is drawn anew is transparent itself, but not what it is in.
    const isRestyled = !isBoxless && isRestyledInput(subject);
    const opaque = isRestyled ? boxAround(subject) : drawn;
    if (!checkVisibility(opaque, { opacityProperty: true })) return "opacity";
    if (this.#clips.isCutAway(isRestyled ? opaque : subject)) return "clipped";
    const rect = yield* this.boxOf(element);
    if (!rect) return "size";
    if (this.#isOffPage(rect, position, subject)) return "off_page";
    return this.#clips.isShut(subject) ? "clipped" : undefined;
  }

  /** Where it is drawn; undefined if all of it is too small to see. */
  boxOf(element: Element): Sliced<DOMRect | undefined> {
    return this.#boxes.of(isArea(element) ? element : shownFor(element));
  }

  /** What would get a click at the middle of what is in view of the element. */
  *coveredBy(element: Element): Sliced<string | undefined> {
    const rect = yield* this.boxOf(element);
    if (!rect) return undefined;
    const x = (Math.max(0, rect.left) + Math.min(innerWidth, rect.right)) / 2;
    const y = (Math.max(0, rect.top) + Math.min(innerHeight, rect.bottom)) / 2;
    const hit = elementAt(x, y);
    // What holds the element doesn't cover it: it only lets nothing through.
    if (!hit || isPartOf(hit, element) || isPartOf(element, hit)) return undefined;
    // An area takes the clicks of its picture; where it has another shape than
    // its box, the picture itself gets them.
    if (hit === shownFor(element)) return undefined;
    // Scrolled out of a box around it.
    if (this.#clips.cutsOff(shownFor(element), new DOMRect(x, y, 0, 0), false)) return undefined;
    return this.#describe(hit);
  }

  /** One thing often covers many, and may hold much text. */
  #describe(hit: Element): string {
    const known = this.#descriptions.get(hit);
    if (known !== undefined) return known;
    const described = isSecret(hit) ? hit.localName : describeElement(hit);
    this.#descriptions.set(hit, described);
    return described;
  }

  /** Where nobody can scroll to. */
  #isOffPage(rect: DOMRect, position: string, element: Element): boolean {
    if (!isOutOfView(rect)) return false;
    if (position === "fixed" ? isFixedBeside(element, rect) : this.#clips.isBeside(element)) {
      return true;
    }
    const { left, top } = this.#clips.scrolledBy(element);
    const isLeft = !this.#isRightToLeft && rect.right <= -scrollX - left;
    return isLeft || rect.bottom <= -scrollY - top;
  }
}

/** An option is seen where its list is, open or not; an area where its picture is. */
function shownFor(element: Element): Element {
  if (isArea(element)) return imageOfArea(element) ?? element;
  return (isOption(element) && closest(element, "select")) || element;
}

function isOption(element: Element): boolean {
  return element instanceof HTMLOptionElement || element instanceof HTMLOptGroupElement;
}

function checkVisibility(element: Element, options: CheckVisibilityOptions): boolean {
  return Element.prototype.checkVisibility.call(element, options);
}

function isRightToLeft(root: Element | null): boolean {
  return root !== null && getComputedStyle(root).direction === "rtl";
}
