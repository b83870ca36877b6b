// `warmUp`: walks the page ahead of need and throws away what it finds. The
// browser compiles the script anew for each document, and the first walks cost
// three times the later ones. In steps too short to be felt; whoever calls for
// something real ends it.
import { Slices } from "./slices";
import { Walk } from "./walk";

const STEP_MS = 8;
/** After so many walks, or so much time spent walking, more of it gains nothing. */
const MOST_WALKS = 4;
const LONGEST_MS = 200;

let calls = 0;

/** Something is asked for: from now on there is better to do. */
export function noteCall(): void {
  calls += 1;
}

/** Whether it came to its end. */
export async function warmUp(): Promise<boolean> {
  const before = calls;
  const slices = new Slices(STEP_MS, STEP_MS);
  let spentMs = 0;
  for (let walks = 0; walks < MOST_WALKS; walks += 1) {
    const walk = new Walk(false);
    for (let isWalked = false; !isWalked; ) {
      const began = performance.now();
      isWalked = walk.advance(slices.isOver);
      spentMs += performance.now() - began;
      await slices.pause();
      if (calls !== before) return false;
      if (spentMs > LONGEST_MS) return true;
    }
  }
  return true;
}
