// Leaving a page, whatever it does against it: its dialogs are answered, and a
// page that would never let go is ended first. Once Chrome is about to show the
// next page, nobody can end or answer the one before any more.
import { Refused } from "../protocol/refused";
import { endPage, forgetEnd } from "./crashes";
import { type Decision, type Dialog, isStormy, openDialog, whileDeciding } from "./dialogs";
import { onNavigation } from "./navigation";
import { isStillSilent, noAnswer, untilSilent } from "./silence";

export interface Left<Result> {
  result: Result;
  /** Dialogs that were answered on the way out. */
  dialogs: number;
}

/** Does what leads away from a page. A dialog of the next page ends the wait. */
export async function leavePage<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Left<Result>> {
  let hasLeft = false;
  let dialogs = 0;
  const done = new AbortController();
  const stop = onNavigation(tabId, ({ kind }) => {
    if (kind === "committed") hasLeft = true;
  });
  const decide = ({ type }: Dialog): Decision => {
    if (hasLeft) return "tell";
    dialogs += 1;
    return type === "beforeunload";
  };
  const stuck = Promise.withResolvers<never>();
  stuck.promise.catch(() => {});
  void untilSilent(tabId, done.signal).then((isSilent) => {
    // The next attempt ends it.
    if (isSilent && !hasLeft && !openDialog(tabId)) stuck.reject(noAnswer());
  });
  try {
    const mustEnd = isStormy(tabId) || (await isStillSilent(tabId));
    if (mustEnd) await endPage(tabId);
    const attempt = () => Promise.race([mustEnd ? twice(work) : work(), stuck.promise]);
    return { result: await whileDeciding(tabId, decide, attempt), dialogs };
  } finally {
    done.abort();
    forgetEnd(tabId);
    stop();
  }
}

/** A page that ends late takes the first attempt to leave it along. */
async function twice<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isLost = error instanceof Refused && error.details?.net === "net::ERR_ABORTED";
    if (!isLost) throw error;
    return work();
  }
}
