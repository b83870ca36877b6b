// What ends a wait for a page before the page answers: whoever waits is refused
// at once, with the reason.
import type { Refused } from "../protocol/refused";

const waiting = new Map<number, Set<(refused: Refused) => void>>();

/** Refuses everything that waits for a tab. */
export function interrupt(tabId: number, refused: Refused): void {
  for (const refuse of waiting.get(tabId) ?? []) refuse(refused);
}

export async function untilInterrupted<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const refusals = waiting.get(tabId) ?? new Set();
  waiting.set(tabId, refusals);
  const interrupted = Promise.withResolvers<never>();
  refusals.add(interrupted.reject);
  try {
    return await Promise.race([work(), interrupted.promise]);
  } finally {
    refusals.delete(interrupted.reject);
    if (refusals.size === 0) waiting.delete(tabId);
  }
}
