// `prepare`: everything that must hold before an input, checked in one go, and
// the point to press.
import type { ElementArgs, Prepared, Purpose } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { boxOfArea, imageOfArea, isArea } from "./areas";
import { forgetRootless } from "./clobbered";
import { draggableAround } from "./draggable";
import type { Point } from "./frame-geometry";
import { type PointInFrame, withHolder } from "./frame-path";
import { guardPress } from "./guard";
import { describeElement, elementAt, isPartOf } from "./hit";
import { livingElement } from "./numbers";
import { refuseOtherOrigin } from "./origin";
import { onceUncovered } from "./passing";
import { letPageGoOn } from "./slices";
import { isDisabled } from "./states";
import { waitUntilStill } from "./stillness";
import { notePreparedPress } from "./synthetic/prepared-press";
import { judgeNewNames, refuseRelabelled } from "./told-names";
import { forgetText } from "./typed";
import { contentRect, hasSize, isVisible, sizedDescendant } from "./visibility";
import { watchDom } from "./watch";

/** Ready, with the point in this frame; the worker carries it on to the main one. */
export interface Ready extends PointInFrame, Pick<Prepared, "draggable"> {
  /** The page has frames, in which a press could come down too. */
  hasFrames?: true;
}

/** For so long a page that had its turn is taken to have had it. */
const LATELY_MS = 100;

let hadTurnAt = Number.NEGATIVE_INFINITY;

/** Whether the page had its turn a moment ago. */
export function hadTurn(): boolean {
  return performance.now() - hadTurnAt < LATELY_MS;
}

export async function prepare(args: ElementArgs): Promise<Ready> {
  judgeNewNames(args);
  return prepareElement(usableElement(args), args.purpose ?? "press", args.point);
}

/** The element of the arguments, if the call may touch it at all. */
export function usableElement({ node, origin }: ElementArgs): Element {
  refuseOtherOrigin(origin);
  return livingElement(node);
}

/**
 * For the pointer, or for the focus. `chosen`: the point that the agent means;
 * the page is not scrolled then.
 */
export async function prepareElement(
  element: Element,
  purpose: Purpose | "focus" = "focus",
  chosen?: readonly [number, number],
): Promise<Ready> {
  // One that never rests shows it now: after an input Chrome holds it back for a while.
  await letPageGoOn();
  hadTurnAt = performance.now();
  return prepareAtOnce(element, purpose, chosen);
}

/** The same without giving the page its turn, which costs as much as a frame. */
export async function prepareAtOnce(
  element: Element,
  purpose: Purpose | "focus",
  chosen?: readonly [number, number],
): Promise<Ready> {
  watchDom(element);
  forgetText();
  refuseHidden(element);
  if (purpose !== "drop" && purpose !== "rest") refuseDisabled(element);
  const block = purpose === "grab" ? "nearest" : "center";
  if (!chosen && purpose !== "drop" && !isFullyInView(element)) scrollTo(element, block);
  await waitUntilStill(element);
  const point = chosen ? chosenPoint(element, chosen) : await findPoint(element, purpose);
  if (purpose === "press" || purpose === "grab") {
    // Last of all, so that nothing comes between the check and the guard.
    if (!chosen) refuseRelabelled(element);
    guardPress(element, point.x, point.y, purpose === "grab");
    forgetRootless();
  }
  // Where a drag ends, what is dragged may lie on top.
  if (purpose !== "drop") notePreparedPress(element, point);
  const hasFrames = top !== null && top.length > 0;
  const ready: Ready = { ...withHolder(point), ...(hasFrames && { hasFrames }) };
  if (purpose !== "grab") return ready;
  return { ...ready, draggable: draggableAround(element) !== undefined };
}

/** What a person could not use. */
export function refuseUnusable(element: Element): void {
  refuseHidden(element);
  refuseDisabled(element);
}

function refuseHidden(element: Element): void {
  if (!isVisible(element)) {
    throw new Refused(
      "hidden",
      "The element can't be seen. It may be in a closed menu or another tab of the page.",
    );
  }
}

function refuseDisabled(element: Element): void {
  if (isDisabled(element)) {
    throw new Refused(
      "disabled",
      "The element is disabled. Something else on the page may enable it.",
    );
  }
}

function isFullyInView(element: Element): boolean {
  const { left, top, right, bottom } = boxOf(element);
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}

export function scrollTo(element: Element, block: "center" | "nearest" = "center"): void {
  const scrolled = (isArea(element) && imageOfArea(element)) || element;
  scrolled.scrollIntoView({ block, inline: block, behavior: "instant" });
}

/** The point, if the element is still what is there. */
function chosenPoint(element: Element, [x, y]: readonly [number, number]): Point {
  const hit = elementAt(x, y);
  if (hit && isPartOf(hit, element)) return { x, y };
  throw new Refused(
    "moved",
    "Something else came to that point meanwhile, so nothing was done. Look at the page again.",
    hit ? { by: describeElement(hit) } : undefined,
  );
}

/** A point at which the element gets the event. */
async function findPoint(element: Element, purpose: Purpose | "focus"): Promise<Point> {
  const found = tryPoints(element);
  if (found) return found;
  if (purpose === "drop") {
    if (pointsOf(element).length === 0) {
      throw new Refused(
        "hidden",
        "Both ends of the drag can't be in view at once. Drag by a distance, or in two steps.",
      );
    }
  } else {
    // In view of the page, but scrolled out of a box inside it.
    scrollTo(element);
    const second = tryPoints(element);
    if (second) return second;
  }
  const covering = () => {
    const [centre] = pointsOf(element);
    return centre && elementAt(centre.x, centre.y);
  };
  const uncovered = await onceUncovered(covering, () => tryPoints(element));
  if (uncovered) return uncovered;
  const above = covering();
  const by = above ? describeElement(above) : "the edge of the page";
  throw new Refused(
    "covered",
    "Something else covers the element. Close or scroll away what covers it.",
    { by },
  );
}

function tryPoints(element: Element): Point | undefined {
  return pointsOf(element).find(({ x, y }) => {
    const hit = elementAt(x, y);
    return hit !== null && isPartOf(hit, element);
  });
}

/**
 * Centres of the element's lines (the middle of a link that wraps may be
 * outside it), then points towards the corners of the first.
 */
function pointsOf(element: Element): Point[] {
  const rects = [...element.getClientRects()].filter(hasSize);
  const boxes = (rects.length > 0 ? rects : [boxOf(element)]).map(inView).filter(hasArea);
  const [first] = boxes;
  if (!first) return [];
  const { left, top, width, height } = first;
  const corners = [0.2, 0.8].flatMap((across) =>
    [0.2, 0.8].map((down) => ({ x: left + width * across, y: top + height * down })),
  );
  const centres = boxes.map((box) => ({
    x: box.left + box.width / 2,
    y: box.top + box.height / 2,
  }));
  return [...centres.slice(0, 8), ...corners];
}

function boxOf(element: Element): DOMRect {
  const rect = (isArea(element) && boxOfArea(element)) || element.getBoundingClientRect();
  if (hasSize(rect)) return rect;
  return sizedDescendant(element)?.getBoundingClientRect() ?? contentRect(element);
}

function inView(rect: DOMRect): DOMRect {
  const left = Math.max(0, rect.left);
  const top = Math.max(0, rect.top);
  const right = Math.min(innerWidth, rect.right);
  const bottom = Math.min(innerHeight, rect.bottom);
  return new DOMRect(left, top, right - left, bottom - top);
}

function hasArea({ width, height }: DOMRect): boolean {
  return width > 0 && height > 0;
}
