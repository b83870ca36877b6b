// The way of a point through the frames around it. Each frame knows where the
// next inner one stands in it, and whether something lies above it there; the
// worker asks one after the other, since no frame can look into those of others.
import type { Purpose } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { parentOf } from "./clobbered";
import { outOfFrame, type Point } from "./frame-geometry";
import { frameIndexOf, holdsPage, indexOf } from "./frames";
import { guardFrame } from "./guard";
import { describeElement, elementAt } from "./hit";
import { rootsIn, selectAll } from "./selectors";
import { nextFrame, waitUntilStill } from "./stillness";
import { isVisible } from "./visibility";
import { holdOutside } from "./watch";

const FRAMES_TO_DRAW = 3;

/** How a frame is known to the document that it stands in. */
export interface Holder {
  /** In `window.frames`; frames in shadow roots are not listed there. */
  index?: number;
  width: number;
  height: number;
}

/** A point of this document, and who can carry it further out. */
export interface PointInFrame extends Point {
  holder?: Holder;
}

export interface FrameArgs extends Point {
  holder: Holder;
  purpose: Purpose;
}

/** Undefined in the main frame. */
export function holderOfThis(): Holder | undefined {
  if (window === window.parent) return undefined;
  const index = indexOf(window, window.parent);
  return { ...(index !== undefined && { index }), width: innerWidth, height: innerHeight };
}

export function withHolder(point: Point): PointInFrame {
  const holder = holderOfThis();
  return { x: point.x, y: point.y, ...(holder && { holder }) };
}

/** `throughFrame`: the point of a frame in here, as a point of this document. */
export async function throughFrame(args: FrameArgs): Promise<PointInFrame> {
  const frame = frameOf(args.holder);
  if (!isVisible(frame)) {
    throw new Refused("hidden", "The frame that the element is in can't be seen.");
  }
  await waitUntilStill(frame);
  if (args.purpose !== "drop" && !isHit(frame, args)) {
    reveal(frame, args);
    // Which process gets an event is decided by what was drawn last.
    for (let drawn = 0; drawn < FRAMES_TO_DRAW && (await nextFrame()); ) drawn += 1;
  }
  const point = outOfFrame(frame, args);
  const top = elementAt(point.x, point.y);
  if (top !== frame) {
    throw new Refused(
      "covered",
      "Something else covers the frame that the element is in. Close or scroll away what covers it.",
      { by: top ? describeElement(top) : "the edge of the page" },
    );
  }
  if (args.purpose === "press" || args.purpose === "grab") guardFrame(point.x, point.y);
  // What is pressed in there may lead this document elsewhere.
  holdOutside();
  return withHolder(point);
}

function isHit(frame: HTMLElement, inner: Point): boolean {
  const { x, y } = outOfFrame(frame, inner);
  return elementAt(x, y) === frame;
}

/** Scrolls whatever is around the frame until the point is in the middle of it. */
function reveal(frame: HTMLElement, inner: Point): void {
  for (let around = parentOf(frame); around; around = parentOf(around)) {
    const { x, y } = outOfFrame(frame, inner);
    const isRoot = around === document.scrollingElement;
    const box = isRoot
      ? new DOMRect(0, 0, innerWidth, innerHeight)
      : around.getBoundingClientRect();
    if (x >= box.left && x < box.right && y >= box.top && y < box.bottom) continue;
    around.scrollBy({
      left: x - (box.left + box.width / 2),
      top: y - (box.top + box.height / 2),
      behavior: "instant",
    });
  }
}

/** The element that shows the frame. */
function frameOf({ index, width, height }: Holder): HTMLElement {
  const frames = rootsIn(document).flatMap((root) => [
    ...selectAll(root, "iframe,frame,object,embed"),
  ]) as HTMLElement[];
  const candidates = frames.filter((frame) => holdsPage(frame) && frameIndexOf(frame) === index);
  const [first, ...others] = candidates;
  if (first && others.length === 0) return first;
  // Several that no list has: then the size must tell.
  const [alike, ...more] = candidates.filter(
    ({ clientWidth, clientHeight }) => clientWidth === width && clientHeight === height,
  );
  if (alike && more.length === 0) return alike;
  throw new Refused(
    "unsupported_page",
    "Where the frame of the element stands in the page can't be found out.",
  );
}
