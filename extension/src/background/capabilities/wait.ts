// `wait`: until something is so in a tab. Pages tell when they change, and only
// then is looked again; between two documents there is nothing to look at.
import type {
  ElementStateArgs,
  HasTextArgs,
  NextChangeArgs,
  Waited,
  WaitParams,
  WaitUntil,
} from "../../protocol/generated";
import { Refused, refusedFrom } from "../../protocol/refused";
import { explainChromeError } from "../chrome-errors";
import { untilDialog } from "../dialogs";
import { stayDrawn } from "../drawing";
import { onNavigation } from "../navigation";
import { callPage } from "../page-calls";
import { pause } from "../pause";
import { waitForQuiet } from "../quiet";
import { reachableTab } from "../reachable";
import { wakeUp } from "../waking";
import { type CallContext, defineCapability } from "./capability";

/** Answer this long before the deadline, so that the answer is in time. */
const MARGIN_MS = 150;
/** A look is never sooner than this after the one before: some pages change all the time. */
const GAP_MS = 30;
/** What no page tells of is seen this late at most. */
const BLIND_MS = 500;
const QUIET_MS = 500;

export const wait = defineCapability<WaitParams>({
  name: "wait",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: [],
  async run({ tabId, until }, context): Promise<Waited> {
    const limits = { signal: context.signal, deadline: context.deadline - MARGIN_MS };
    if (until.kind === "quiet") return { came: await untilQuiet(tabId, limits) };
    if (until.kind === "passed") return { came: await untilPassed(tabId, until.ms, limits) };
    return { came: await untilSo(tabId, () => isSo(tabId, until), limits) };
  },
});

type Limits = Pick<CallContext, "signal" | "deadline">;

async function untilSo(
  tabId: number,
  look: () => Promise<boolean>,
  { signal, deadline }: Limits,
): Promise<boolean> {
  const changes = new Changes(tabId);
  try {
    for (;;) {
      signal.throwIfAborted();
      stayDrawn(tabId, true);
      // Listened for before the look, so that nothing falls between the two.
      const changed = await changes.next();
      if (await look()) return true;
      const left = deadline - Date.now();
      if (left <= 0) return false;
      await pause(GAP_MS, signal);
      await pause(Math.min(BLIND_MS, left) - GAP_MS, AbortSignal.any([signal, changed]));
    }
  } finally {
    changes.stop();
  }
}

/** Tells when something changed in any frame of a tab, or the tab went elsewhere. */
class Changes {
  readonly #stop: () => void;
  readonly #asked = new Set<string>();
  #news = new AbortController();

  constructor(private readonly tabId: number) {
    this.#stop = onNavigation(tabId, () => this.#news.abort());
  }

  async next(): Promise<AbortSignal> {
    if (this.#news.signal.aborted) this.#news = new AbortController();
    const frames = (await chrome.webNavigation.getAllFrames({ tabId: this.tabId })) ?? [];
    for (const { documentId } of frames) this.#ask(documentId);
    return this.#news.signal;
  }

  stop(): void {
    this.#stop();
  }

  #ask(documentId: string): void {
    if (this.#asked.has(documentId)) return;
    this.#asked.add(documentId);
    const args: NextChangeArgs = { limitMs: BLIND_MS };
    const tell = () => {
      this.#asked.delete(documentId);
      this.#news.abort();
    };
    callPage(this.tabId, "nextChange", args, { documents: [documentId] }).then(tell, tell);
  }
}

async function isSo(
  tabId: number,
  until: Exclude<WaitUntil, { kind: "quiet" | "passed" }>,
): Promise<boolean> {
  await reachableTab(tabId);
  switch (until.kind) {
    case "text":
      return (await showsText(tabId, until.text)) === !until.gone;
    case "element":
      return elementIs(tabId, until.document, { node: until.node, state: until.state });
    case "url": {
      const { url } = await chrome.tabs.get(tabId);
      return url?.includes(until.part) ?? false;
    }
  }
}

/** Undefined between two documents, where there is nothing to look at. */
async function showsText(tabId: number, text: string): Promise<boolean | undefined> {
  const args: HasTextArgs = { text };
  try {
    const frames = await callPage(tabId, "hasText", args, "all");
    return frames.some(({ value }) => value === true);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

async function elementIs(
  tabId: number,
  documentId: string,
  args: ElementStateArgs,
): Promise<boolean> {
  try {
    const [frame] = await callPage(tabId, "elementIs", args, { documents: [documentId] });
    if (frame?.refusal) throw refusedFrom(frame.refusal);
    return frame?.value === true;
  } catch (error) {
    // With its document it went out of sight.
    if (isGone(error) && (args.state === "gone" || args.state === "hidden")) return true;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  const explained = explainChromeError(error);
  return explained instanceof Refused && explained.code === "stale_ref";
}

async function untilPassed(
  tabId: number,
  ms: number,
  { signal, deadline }: Limits,
): Promise<boolean> {
  const end = Date.now() + ms;
  await untilDialog(tabId, async () => {
    for (let left = ms; left > 0; left = Math.min(end, deadline) - Date.now()) {
      signal.throwIfAborted();
      stayDrawn(tabId, true);
      await pause(Math.min(left, BLIND_MS), signal);
    }
  });
  return end <= deadline;
}

async function untilQuiet(tabId: number, { signal, deadline }: Limits): Promise<boolean> {
  await wakeUp(tabId);
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    stayDrawn(tabId, true);
    const moved = new AbortController();
    const stop = onNavigation(tabId, () => moved.abort());
    const until = AbortSignal.any([signal, moved.signal]);
    try {
      const { status } = await reachableTab(tabId);
      if (status === "loading") {
        await pause(Math.min(BLIND_MS, deadline - Date.now()), until);
        continue;
      }
      const calm = { since: Date.now(), beginMs: QUIET_MS, quietMs: QUIET_MS };
      const quiet = await waitForQuiet(tabId, { ...calm, until: deadline, signal: until });
      if (quiet.isQuiet && !moved.signal.aborted) return true;
      if (quiet.isGone) await pause(GAP_MS, signal);
    } finally {
      stop();
    }
  }
  return false;
}
