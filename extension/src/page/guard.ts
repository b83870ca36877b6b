// Between the check of an element and the press on it the page may change. The
// guard looks at the press itself: one at the prepared point that does not go
// to the prepared element is stopped before the page sees it, and so is the
// click of one whose element left before the button was up again: what holds
// both places would get it. Whether a press came at all is remembered too:
// another frame may have got it.
import { elementAt, innermostAt, isOperated, isPartOf } from "./hit";

/** Long enough for a debugger to attach, short enough to be forgotten. */
const GUARDED_MS = 1_000;
/** Mouse events have whole coordinates, pointer events need not. */
const TOLERANCE_PX = 2;

const PRESSES = ["pointerdown", "mousedown"];
const CLICKS = ["click", "auxclick", "contextmenu"];
const TYPES = [...PRESSES, "pointerup", "mouseup", "dblclick", ...CLICKS];

/**
 * What became of a press: none was seen; it was stopped on its way to something
 * else, whole; it came to the element, but no click followed; it was a click.
 */
export type Press = "awaited" | "stopped" | "begun" | "clicked";

let press: Press | undefined;
let dismantle: () => void = () => {};

/** For a press on an element in this document; of a drag, the click is anybody's. */
export function guardPress(target: Element, x: number, y: number, isDrag = false): void {
  const isForTarget = (event: Event) => {
    const [hit] = event.composedPath();
    return hit instanceof Element && isPartOf(innermostAt(hit, x, y), target);
  };
  // A part of a control may be exchanged under the press; the control has the click then.
  const guardsClick = !isDrag && isOperated(target);
  arm(x, y, isForTarget, () => guardsClick && !isAt(target, x, y));
  press = "awaited";
}

/** For a press that is meant for a frame inside: what arrives here missed it. */
export function guardFrame(x: number, y: number): void {
  arm(x, y, () => false);
}

/** For a press that is meant for another frame, wherever it would come down here. */
export function guardElsewhere(): void {
  if (!isArmed) arm(undefined, undefined, () => false);
}

let isArmed = false;

function arm(
  x: number | undefined,
  y: number | undefined,
  isForTarget: (event: Event) => boolean,
  hasTargetLeft: () => boolean = () => false,
): void {
  dismantle();
  press = undefined;
  let isStopping = false;
  let isReached = false;
  /** The button is up, and the element no longer there. */
  let isStray = false;
  const listener = (event: Event) => {
    if (!(event instanceof MouseEvent) || !event.isTrusted) return;
    // Inside a frame the place may be off by a little: of a frame that is scaled,
    // a pixel out there is several in here.
    if (window === top && !isNear(event, x, y)) return;
    if (isStopping) stop(event);
    else if (press === "begun" || press === "clicked") {
      // Once the press went where it should, the rest is the page's own doing, but for
      // the one click that it leaves to something else; those of keys have no `detail`.
      if (event.type === "mouseup") isStray = press === "begun" && hasTargetLeft();
      else if (PRESSES.includes(event.type)) isStray = false;
      else if (CLICKS.includes(event.type)) {
        if (isForTarget(event)) press = "clicked";
        else if (isStray && event.detail > 0) stop(event);
        isStray = false;
      }
    } else if (isForTarget(event)) {
      // The list of a `<select>` is the system's: no click comes of it.
      const isList = event.composedPath()[0] instanceof HTMLSelectElement;
      if (event.type === "mousedown") press = isList ? "clicked" : "begun";
      else if (event.type === "pointerdown") isReached = true;
    } else if (PRESSES.includes(event.type)) {
      isStopping = true;
      // A part of it is what the element had, though something came over it then.
      press = isReached ? "begun" : "stopped";
      stop(event);
    }
  };
  for (const type of TYPES) addEventListener(type, listener, { capture: true });
  let timer = setTimeout(() => {
    // A page that was busy with the first half of the press has the second one waiting.
    if (press === "begun" && !isStopping) timer = setTimeout(() => dismantle(), GUARDED_MS);
    else dismantle();
  }, GUARDED_MS);
  isArmed = true;
  dismantle = () => {
    clearTimeout(timer);
    for (const type of TYPES) removeEventListener(type, listener, { capture: true });
    isArmed = false;
    dismantle = () => {};
  };
}

function isAt(target: Element, x: number, y: number): boolean {
  const found = elementAt(x, y);
  return found !== null && isPartOf(found, target);
}

function isNear(event: MouseEvent, x = event.clientX, y = event.clientY): boolean {
  const [across, down] = [event.clientX - x, event.clientY - y];
  return Math.abs(across) <= TOLERANCE_PX && Math.abs(down) <= TOLERANCE_PX;
}

/** What became of the last press that was prepared here. */
export function pressSoFar(): Press | undefined {
  return press;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
