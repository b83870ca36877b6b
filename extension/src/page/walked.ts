// One whole walk of the page, in slices. A page that changes in between is
// walked anew; one that never stops changing is taken as it comes.
import type { PageFacts } from "../protocol/generated";
import { markCovered } from "./covered";
import { Changes, type Slices } from "./slices";
import { Walk } from "./walk";

/** How often a walk begins anew because the page changed under it. */
const MOST_RESTARTS = 3;

/** Nobody knows before the first walk. */
let sawShadowRoots = true;

/** Whether there were any when all of the page was last walked. */
export function hasShadowRoots(): boolean {
  return sawShadowRoots;
}

export interface Walked {
  nodes: PageFacts["nodes"];
  /** Parts may be told as they were a moment earlier. */
  isChanging: boolean;
  hasShadowRoots: boolean;
  omittedLetters: number;
}

/** All of the page, or one element and what is in it. */
export async function walkPage(
  includesHidden: boolean,
  slices: Slices,
  root?: Element,
): Promise<Walked> {
  const changes = new Changes();
  try {
    for (let restarts = 0; ; restarts += 1) {
      const walked = await walkOnce(
        () => new Walk(includesHidden, root),
        slices,
        changes,
        restarts < MOST_RESTARTS,
      );
      if (!walked) continue;
      if (!root) sawShadowRoots = walked.hasShadowRoots;
      return walked;
    }
  } finally {
    changes.stop();
  }
}

/** Undefined if the page changed, and that mattered. */
async function walkOnce(
  begin: () => Walk,
  slices: Slices,
  changes: Changes,
  mayRestart: boolean,
): Promise<Walked | undefined> {
  const walk = begin();
  let isChanging = false;
  while (!walk.advance(slices.isOver)) {
    changes.watch(walk.roots);
    await slices.pause();
    isChanging = changes.take() || isChanging;
    if (isChanging && mayRestart) return undefined;
  }
  markCovered(walk.controlsInView);
  return {
    nodes: walk.nodes(),
    isChanging,
    hasShadowRoots: walk.roots.length > 0,
    omittedLetters: walk.omittedLetters,
  };
}
