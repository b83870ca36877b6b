// Takes pictures of pages with their secrets veiled. Where no script can run
// there is no field whose secret could be known, and nothing to veil.
import { callPage } from "./page-calls";

/** The last picture that is being taken of each tab: one lifts the veil of all. */
const underWay = new Map<number, Promise<unknown>>();

export async function whileVeiled<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = underWay.get(tabId) ?? Promise.resolve();
  const mine = before.catch(() => {}).then(() => veiledWork(tabId, work));
  underWay.set(tabId, mine);
  try {
    return await mine;
  } finally {
    if (underWay.get(tabId) === mine) underWay.delete(tabId);
  }
}

async function veiledWork<Result>(tabId: number, work: () => Promise<Result>): Promise<Result> {
  const isVeiled = await veil(tabId);
  try {
    return await work();
  } finally {
    // The tab may be gone by now, and its fields with it.
    if (isVeiled) await callPage(tabId, "veil", false, "all").catch(() => {});
  }
}

async function veil(tabId: number): Promise<boolean> {
  try {
    const frames = await callPage(tabId, "veil", true, "all");
    return frames.some(({ value }) => Number(value) > 0);
  } catch (error) {
    if (isUnscriptable(error)) return false;
    // Where one frame answered nothing, the others have veiled theirs.
    callPage(tabId, "veil", false, "all").catch(() => {});
    throw error;
  }
}

/** Blank pages, error pages, pages of the browser. */
function isUnscriptable(error: unknown): boolean {
  const message = error instanceof Error ? error.message : "";
  return /cannot access|error page|cannot be scripted|missing host permission/i.test(message);
}
