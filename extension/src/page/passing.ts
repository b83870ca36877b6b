// What covers an element for a moment only: a menu that fades out, a curtain that
// slides away. A person waits for it; only what is seen to go is waited for, so
// that what stays is refused at once.
import { parentOf } from "./clobbered";
import { isAnimated } from "./stillness";

const LONGEST_MS = 1_000;
/** Long enough for a script that fades something to take its next step. */
const STEP_MS = 60;

/** Asks again and again, for as long as what covers something is on its way. */
export async function onceUncovered<Found>(
  covering: () => Element | null | undefined,
  find: () => Found | undefined,
): Promise<Found | undefined> {
  const until = Date.now() + LONGEST_MS;
  let before = traceOf(covering());
  while (Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    const found = find();
    if (found) return found;
    const above = covering();
    const now = traceOf(above);
    if (now === before && !(above && isAnimated(above))) return undefined;
    before = now;
  }
  return undefined;
}

/** Where it is, and how much of it can be seen. */
function traceOf(element: Element | null | undefined): string {
  if (!element) return "";
  const { x, y, width, height } = Element.prototype.getBoundingClientRect.call(element);
  const opacities: string[] = [];
  for (let around: Element | null = element; around; around = parentOf(around)) {
    opacities.push(getComputedStyle(around).opacity);
  }
  return [x, y, width, height, ...opacities].join();
}
