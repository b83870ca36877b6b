// `warmUp`: reads the page ahead of need and throws away what it finds. The
// browser compiles the script anew for each document, and the first readings
// cost three times the later ones. In steps too short to be felt; whoever calls
// for something real ends it.
import { readPage } from "./facts";
import { Slices } from "./slices";

const STEP_MS = 8;
/** After so many readings, or so much time spent on them, more of it gains nothing. */
const MOST_READINGS = 5;
const LONGEST_MS = 250;

let calls = 0;

/** Something is asked for: from now on there is better to do. */
export function noteCall(): void {
  calls += 1;
}

/** Whether it came to its end. */
export async function warmUp(): Promise<boolean> {
  const before = calls;
  const steps = new Steps(() => calls !== before);
  try {
    for (let readings = 0; readings < MOST_READINGS; readings += 1) {
      await readPage(null, steps);
      await steps.pause();
    }
    return true;
  } catch (error) {
    if (error instanceof Enough) return error.isEnd;
    throw error;
  }
}

class Enough extends Error {
  constructor(readonly isEnd: boolean) {
    super();
  }
}

/** Slices that end what is done in them. */
class Steps extends Slices {
  #spentMs = 0;
  #began = performance.now();

  constructor(private readonly isWanted: () => boolean) {
    super(STEP_MS, STEP_MS);
  }

  override async pause(): Promise<void> {
    this.#spentMs += performance.now() - this.#began;
    await super.pause();
    this.#began = performance.now();
    if (this.isWanted()) throw new Enough(false);
    if (this.#spentMs > LONGEST_MS) throw new Enough(true);
  }
}
