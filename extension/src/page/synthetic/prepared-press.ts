// Which element was made ready for a press, and where. A synthetic press goes to
// whatever is at that place, if it is still that element.
import { Refused } from "../../protocol/refused";
import { elementAt, isPartOf } from "../hit";

interface Point {
  x: number;
  y: number;
}

interface PreparedPress extends Point {
  element: Element;
}

let prepared: PreparedPress | undefined;

export function notePreparedPress(element: Element, { x, y }: Point): void {
  prepared = { element, x, y };
}

/** What is at a place of this frame. */
export function targetAt(x: number, y: number): { target: Element; point: Point } {
  const point = { x, y };
  const target = elementAt(x, y);
  // Carried through frames and back, it may be off by a fraction.
  const isPrepared = prepared && Math.hypot(prepared.x - x, prepared.y - y) < 0.01;
  if (!target || (isPrepared && prepared && !isPartOf(target, prepared.element))) {
    throw new Refused(
      "moved",
      "The element moved just before it was pressed, so the press was stopped. Take a new snapshot and try again.",
    );
  }
  return { target, point };
}
