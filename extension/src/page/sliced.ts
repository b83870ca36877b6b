// Work that can pause anywhere: a generator that yields between its steps. The
// page goes on in between; where it changed meanwhile, the work begins anew, and
// a page that never stops changing is taken as it comes.
import { Changes, Slices } from "./slices";

export type Sliced<Result> = Generator<void, Result>;

/** How often work begins anew because the page changed under it. */
const MOST_RESTARTS = 3;
/** Looking at the clock costs about as much as a step does. */
const STEPS_A_GLANCE = 16;

/** `begin` notes the shadow roots that it finds, so that changes in them count. */
export async function inSlices<Result>(begin: (roots: Node[]) => Sliced<Result>): Promise<Result> {
  const slices = new Slices();
  const changes = new Changes();
  try {
    for (let restarts = 0; ; restarts += 1) {
      const roots: Node[] = [];
      const work = begin(roots);
      for (;;) {
        const step = advance(work, slices.isOver);
        if (step.done) return step.value;
        changes.watch(roots);
        await slices.pause();
        if (changes.take() && restarts < MOST_RESTARTS) break;
      }
    }
  } finally {
    changes.stop();
  }
}

/** In one go, for what is short or can't wait. */
export function finished<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function advance<Result>(
  work: Sliced<Result>,
  isTime: () => boolean,
): IteratorResult<void, Result> {
  for (let count = 1; ; count += 1) {
    const step = work.next();
    if (step.done || (count % STEPS_A_GLANCE === 0 && isTime())) return step;
  }
}
