// Waits until a moving element stands still. Costs nothing where nothing moves:
// only running animations and transitions of the element or what holds it count.

import { Refused } from "../protocol/refused";
import { contains, page } from "./clobbered";

const LONGEST_MS = 1_000;
/** Movement below this can't make a press miss. */
const TOLERANCE_PX = 1;
/** Where no frame is drawn for so long (a background tab without a debugger) nothing moves. */
const UNDRAWN_MS = 300;

export async function waitUntilStill(element: Element): Promise<void> {
  if (!isAnimated(element)) return;
  const until = Date.now() + LONGEST_MS;
  let [x, y] = centreOf(element);
  let stillFrames = 0;
  while (stillFrames < 2) {
    if (Date.now() > until) {
      throw new Refused("moved", "The element keeps moving. Wait until it stands still.");
    }
    if (!(await nextFrame())) return;
    const [newX, newY] = centreOf(element);
    const moved = Math.hypot(newX - x, newY - y) > TOLERANCE_PX;
    stillFrames = moved ? 0 : stillFrames + 1;
    [x, y] = [newX, newY];
  }
}

/** Whether something moves or fades it, or what holds it. */
export function isAnimated(element: Element): boolean {
  return page.animations().some(({ playState, effect }) => {
    if (playState !== "running" || !(effect instanceof KeyframeEffect)) return false;
    return effect.target ? contains(effect.target, element) : false;
  });
}

/** Whether something on the page moves, or is drawn by a script that may move it. */
export function isAnythingMoving(): boolean {
  if (page.animations().some(({ playState }) => playState === "running")) return true;
  return page.hasCanvas;
}

/** The centre: a pulsing or turning button is still where it was. */
function centreOf(element: Element): [number, number] {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/** Whether one was drawn. */
export function nextFrame(): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, UNDRAWN_MS, false);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
