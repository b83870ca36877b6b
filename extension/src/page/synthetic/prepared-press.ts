// Which element was made ready for a press, and where. A synthetic press goes to
// whatever is at that place, if it is still that element.
import { Refused } from "../../protocol/refused";
import { elementAt, isPartOf } from "../hit";

interface Point {
  x: number;
  y: number;
}

interface PreparedPress {
  element: Element;
  /** In this frame. */
  here: Point;
  /** The same place in the main frame, in whose pixels inputs are given. */
  inMain: Point;
}

let prepared: PreparedPress | undefined;

export function notePreparedPress(element: Element, here: Point, inMain: Point): void {
  prepared = { element, here, inMain };
}

/** What is at a place of the main frame's viewport, and where that is in this frame. */
export function targetAt(x: number, y: number): { target: Element; point: Point } {
  const offset = prepared
    ? { x: prepared.here.x - prepared.inMain.x, y: prepared.here.y - prepared.inMain.y }
    : { x: 0, y: 0 };
  const point = { x: x + offset.x, y: y + offset.y };
  const target = elementAt(point.x, point.y);
  const isPrepared = prepared?.inMain.x === x && prepared.inMain.y === y;
  if (!target || (isPrepared && prepared && !isPartOf(target, prepared.element))) {
    throw new Refused(
      "moved",
      "The element moved just before the click, which was stopped. Take a new snapshot and try again.",
    );
  }
  return { target, point };
}
