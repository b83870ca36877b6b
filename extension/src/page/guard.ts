// Between the check of an element and the press on it the page may change. The
// guard looks at the press itself: one at the prepared point that does not go
// to the prepared element is stopped before the page sees it.
import { innermostAt, isPartOf } from "./hit";

/** Long enough for a debugger to attach, short enough to be forgotten. */
const GUARDED_MS = 1_000;
/** Mouse events have whole coordinates, pointer events need not. */
const TOLERANCE_PX = 2;

const PRESSES = ["pointerdown", "mousedown"];
const FOLLOWERS = ["pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];

let dismantle: () => void = () => {};
let missed = false;

export function guardPress(target: Element, x: number, y: number): void {
  dismantle();
  missed = false;
  const isOurs = (event: Event) =>
    event instanceof MouseEvent &&
    event.isTrusted &&
    Math.abs(event.clientX - x) <= TOLERANCE_PX &&
    Math.abs(event.clientY - y) <= TOLERANCE_PX;
  const listener = (event: Event) => {
    if (!isOurs(event)) return;
    if (missed) {
      stop(event);
      if (event.type === "click" || event.type === "auxclick") dismantle();
      return;
    }
    const [hit] = event.composedPath();
    if (hit instanceof Element && isPartOf(innermostAt(hit, x, y), target)) {
      // Once the press went where it should, the rest is the page's own doing.
      if (event.type === "mousedown") dismantle();
      return;
    }
    if (PRESSES.includes(event.type)) {
      missed = true;
      stop(event);
    }
  };
  const types = [...PRESSES, ...FOLLOWERS];
  for (const type of types) addEventListener(type, listener, { capture: true });
  const timer = setTimeout(() => dismantle(), GUARDED_MS);
  dismantle = () => {
    clearTimeout(timer);
    for (const type of types) removeEventListener(type, listener, { capture: true });
    dismantle = () => {};
  };
}

/** Whether a press was stopped; told once. */
export function takeMissed(): boolean {
  const told = missed;
  missed = false;
  if (told) dismantle();
  return told;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
