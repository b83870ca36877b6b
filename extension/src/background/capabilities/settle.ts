// `settle`: waits until what an action began has ended: changes of the DOM,
// a navigation, new tabs. Looks back to the start of its batch, or to the
// preparation of the element, because inputs work before their answers arrive.
import type { Aftermath } from "../../page/aftermath";
import type { Press } from "../../page/guard";
import type { DomChanges } from "../../page/watch";
import type { FieldText, FrameResult, Settled, SettleParams } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { downloadsSince } from "../downloads";
import { endStay, stayDrawn } from "../drawing";
import { failureOf } from "../failures";
import { wantsFilesSince } from "../file-choosers";
import { lastInputAt, takeScripted, takeSynthetic } from "../input";
import { navigationsSince, onNavigation, openedSince } from "../navigation";
import { NavigationProgress } from "../navigation-progress";
import { callPage } from "../page-calls";
import { hasRequestsSince, untilRequestsQuiet } from "../page-requests";
import { pause } from "../pause";
import { type Preparation, takePreparation } from "../prepared";
import { type Quiet, waitForQuiet } from "../quiet";
import { recentTab } from "../reachable";
import { responseOf } from "../response";
import { tabFacts } from "../tab-facts";
import { defineCapability } from "./capability";

/** Answer this long before the deadline, so that the answer is in time. */
const MARGIN_MS = 100;
/** A reply that is lost can only be told again if it is short. */
const MOST_LETTERS = 32 * 1024;
/** A document that went away without a navigation in sight gets this long to show one. */
const GONE_PATIENCE_MS = 50;

export const settle = defineCapability<SettleParams>({
  name: "settle",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["tabMetadata", "pageFacts"],
  async run(params, { signal, startedAt, deadline }): Promise<Settled> {
    const { tabId, limitMs } = params;
    const preparation = takePreparation(tabId);
    const since = Math.min(startedAt, preparation?.at ?? startedAt);
    const until = Math.min(Date.now() + limitMs, deadline - MARGIN_MS);
    // A page that takes something at once is looked at meanwhile.
    const isText = params.beginMs === 0;
    // What the action began may be something that moves.
    if (!isText) stayDrawn(tabId);
    const ahead = params.look && isText ? lookAhead(tabId, preparation) : undefined;
    // What text began may move, too; text alone is not worth drawing for.
    ahead?.changes.then(
      (changes) => changes && changes.lastChangeAt >= since && stayDrawn(tabId),
      () => {},
    );
    const span = { preparation, since, until, signal, requestsSettledAt: 0, first: ahead?.changes };
    const outcome = await untilSettled(params, span);
    const { settled, press, typed, moves, heldBack, asksFor = [], wantsPrint, wasStill } = outcome;
    const { hasNewDocument, failure, headingFor } = progressSince(tabId, since);
    const synthetic = takeSynthetic(tabId);
    const byScript = takeScripted(tabId);
    // A synthetic press is sent to the element itself, past any guard.
    if (press === "awaited" && !hasNewDocument && !synthetic) throw unseenPress(asksFor);
    const isSame = settled && !hasNewDocument && failure === undefined;
    const isAsBefore = isSame && wasStill === true;
    // What changed may wait to be drawn before it goes on.
    if (isAsBefore && !moves) endStay(tabId);
    else stayDrawn(tabId);
    const opens = openedSince(tabId, since);
    const field = isAsBefore ? await ahead?.field.catch(() => undefined) : undefined;
    const looks = params.look && isSame && field === undefined;
    const [tab, downloads, look, ...opened] = await Promise.all([
      (isAsBefore && opens.length === 0 && recentTab(tabId)) || chrome.tabs.get(tabId),
      downloadsSince(tabId, since),
      looks ? lookAt(tabId, isAsBefore ? ahead?.facts : undefined) : undefined,
      ...opens.map((id) => chrome.tabs.get(id).catch(() => undefined)),
    ]);
    return {
      tab: tabFacts(tab),
      navigated: hasNewDocument,
      ...(!hasNewDocument && hasMovedWithin(tabId, since) && { movedWithin: true }),
      ...(failure !== undefined && {
        failed: failure,
        failedBecause: failureOf(failure).message,
      }),
      settled,
      ...(!settled && headingFor !== undefined && { headingFor }),
      ...(press === "begun" && { halfway: true }),
      opened: opened.filter((tab) => tab !== undefined).map(tabFacts),
      synthetic,
      ...(byScript && { byScript }),
      ...(hasNewDocument && (await responseOf(tabId))),
      ...(downloads.length > 0 && { downloads }),
      ...(heldBack !== undefined && { heldBack }),
      ...(asksFor.length > 0 && { asksFor }),
      ...(wantsPrint && { wantsPrint }),
      ...(wantsFilesSince(tabId, since) && { wantsFiles: true }),
      ...(look && { look }),
      ...(field !== undefined && { field }),
      ...(isText && typed && { typed }),
    };
  },
});

/** Undefined if nobody can look now, or there is more than a reply should hold. */
async function lookAt(
  tabId: number,
  ahead: Promise<FrameResult[]> | undefined,
): Promise<FrameResult[] | undefined> {
  const looking = ahead ?? callPage(tabId, "facts", null, "all");
  const frames = await looking.catch(() => []);
  const [main] = frames;
  if (main?.frameId !== 0 || main.refusal) return undefined;
  const letters = frames.reduce((sum, { value }) => sum + String(value ?? "").length, 0);
  return letters <= MOST_LETTERS ? frames : undefined;
}

/** Looks at the page and at what changed in it, in one go. */
function lookAhead(tabId: number, preparation: Preparation | undefined) {
  const frames = callPage(tabId, "aftermath", null, "all");
  const changes = frames.then(([main]) =>
    main?.frameId === 0 ? aftermathIn(main)?.changes : undefined,
  );
  // Of a field that was made ready for something else nobody asks.
  const field = frames.then(([main]) => {
    const isReady = main?.frameId === 0 && main.documentId === preparation?.documentIds[0];
    const value = isReady ? aftermathIn(main)?.field : undefined;
    return isReady && value !== undefined ? { ...main, value } : undefined;
  });
  const facts = frames.then((all) =>
    all.map((one) => ({ ...one, value: aftermathIn(one)?.facts })),
  );
  // After a navigation nobody asks for them.
  for (const look of [changes, field, facts]) look.catch(() => {});
  return { changes, field, facts };
}

function aftermathIn(frame: FrameResult | undefined): Aftermath | undefined {
  return frame?.value as Aftermath | undefined;
}

interface Span {
  preparation: Preparation | undefined;
  since: number;
  until: number;
  signal: AbortSignal;
  /** Those that began before were waited for. */
  requestsSettledAt: number;
  /** A first look at the main document that is under way. */
  first: Promise<DomChanges | undefined> | undefined;
}

interface Outcome {
  settled: boolean;
  /** Nothing changed, and no request was made. */
  wasStill?: boolean;
  press?: Press | undefined;
  typed?: FieldText | undefined;
  /** Something moves. */
  moves?: boolean;
  heldBack?: string | undefined;
  asksFor?: string[];
  wantsPrint?: boolean;
}

async function untilSettled(params: SettleParams, span: Span): Promise<Outcome> {
  const { tabId } = params;
  const { since, until, signal } = span;
  let goneBefore = false;
  /** As far as the document could be asked. */
  let told: Omit<Outcome, "settled" | "wasStill"> = {};
  while (Date.now() < until) {
    signal.throwIfAborted();
    const progress = progressSince(tabId, since);
    const standing = progress.standing(Date.now());
    if (standing.is === "failed") return { settled: true };
    if (progress.hasBegun && standing.is === "pending") {
      const lookAgainAt = Math.min(standing.until ?? until, until);
      await untilNavigation(span, tabId, (stop) => pause(lookAgainAt - Date.now(), stop));
      continue;
    }
    const { result: quiet, wasInterrupted } = await untilNavigation(span, tabId, (stop) =>
      quietOf(params, span, progress, stop),
    );
    if (quiet.press === "stopped") throw missedTarget();
    if (wasInterrupted) continue;
    const { press, typed, moves, heldBack, asksFor, wantsPrint } = quiet;
    told = { press, typed, moves, heldBack, asksFor, wantsPrint };
    if (!quiet.isGone) {
      // What a new page asks for while it loads is its own affair.
      const isOver = !quiet.isQuiet || progress.hasNewDocument;
      if (isOver || !(await hadRequests(params, span))) {
        const wasStill = !quiet.hasChanged && span.requestsSettledAt === 0;
        return { ...told, settled: quiet.isQuiet, wasStill };
      }
      continue;
    }
    if (goneBefore) return { settled: true };
    goneBefore = true;
    await untilNavigation(span, tabId, (stop) => pause(GONE_PATIENCE_MS, stop));
  }
  return { ...told, settled: false };
}

/** Whether requests were waited for; what they brought is to be looked at then. */
async function hadRequests(params: SettleParams, span: Span): Promise<boolean> {
  const { tabId, navigationQuietMs: quietMs } = params;
  const { preparation, requestsSettledAt, since, until, signal } = span;
  const of = { tabId, inFrames: (preparation?.documentIds.length ?? 0) > 1 };
  if (!hasRequestsSince(of, Math.max(since, requestsSettledAt))) return false;
  await untilNavigation(span, tabId, (stop) =>
    untilRequestsQuiet(of, { since, quietMs, until }, AbortSignal.any([signal, stop])),
  );
  span.requestsSettledAt = Date.now();
  return true;
}

/** Waits for something, but no longer than until the next navigation event. */
async function untilNavigation<Result>(
  { signal }: Span,
  tabId: number,
  wait: (stop: AbortSignal) => Promise<Result>,
): Promise<{ result: Result; wasInterrupted: boolean }> {
  const interruption = new AbortController();
  const stop = onNavigation(tabId, () => interruption.abort());
  try {
    const result = await wait(AbortSignal.any([signal, interruption.signal]));
    return { result, wasInterrupted: interruption.signal.aborted };
  } finally {
    stop();
  }
}

async function quietOf(
  params: SettleParams,
  span: Span,
  progress: NavigationProgress,
  signal: AbortSignal,
): Promise<Quiet> {
  const { preparation, since, until, first } = span;
  span.first = undefined;
  const { tabId, beginMs, quietMs, navigationQuietMs } = params;
  if (progress.hasNewDocument) {
    const calm = { beginMs: navigationQuietMs, quietMs: navigationQuietMs };
    return waitForQuiet(tabId, { ...calm, since: Date.now(), until, signal });
  }
  // A change of place within the document is a change like those of the DOM.
  const begin = progress.hasBegun ? quietMs : beginMs;
  const inputAt = lastInputAt(tabId) ?? 0;
  const from = inputAt >= since ? { from: inputAt } : {};
  const wait = { since, ...from, beginMs: begin, quietMs, until, signal };
  const main = waitForQuiet(tabId, { ...wait, ...(first && { first }) });
  // Of which field it would tell nobody knows then.
  if (!preparation) return { ...(await main), typed: undefined };
  const { documentIds, presses } = preparation;
  // All but the main one, which is the last.
  const inner = documentIds
    .slice(0, -1)
    .map((documentId) => waitForQuiet(tabId, { ...wait, documentId }));
  const all = await Promise.all([...inner, main]);
  // A frame that its own input closed has nothing left to settle.
  const isQuiet = all.every((one) => one.isQuiet || (one.isGone && one !== all.at(-1)));
  const wasStopped = all.some(({ press }) => press === "stopped");
  const press = wasStopped ? "stopped" : all[0]?.press;
  return {
    isQuiet,
    hasChanged: all.some((one) => one.hasChanged),
    press: presses ? press : undefined,
    typed: all[0]?.typed,
    moves: all.some((one) => one.moves),
    asksFor: [...new Set(all.flatMap((one) => one.asksFor))],
    wantsPrint: all.some((one) => one.wantsPrint),
    heldBack: all.map((one) => one.heldBack).find((address) => address !== undefined),
    isGone: all.at(-1)?.isGone ?? true,
  };
}

/** Pages also note the address that they have anyway. */
function hasMovedWithin(tabId: number, since: number): boolean {
  const events = navigationsSince(tabId, since).filter(({ kind }) => kind === "sameDocument");
  return events.length > 0 && events[0]?.from !== events.at(-1)?.url;
}

function progressSince(tabId: number, since: number): NavigationProgress {
  const progress = new NavigationProgress("dom", false);
  for (const event of navigationsSince(tabId, since)) progress.feed(event);
  return progress;
}

/** No frame can tell what goes on in another one that has just come. */
function unseenPress(asksFor: string[]): Refused {
  if (asksFor.length > 0) {
    return new Refused(
      "outcome_unknown",
      `The press did not arrive at the element: the browser asks the user something in this tab (${asksFor.join(", ")}), and the tab takes no input until that is answered. Ask them to, with browser_ask_human, or leave the page with browser_reload or browser_navigate.`,
    );
  }
  return new Refused(
    "outcome_unknown",
    "The press was sent but did not arrive at the element; something else may have got it. Look at the page before doing it again.",
  );
}

function missedTarget(): Refused {
  return new Refused(
    "moved",
    "The element moved just before it was pressed, so the press was stopped. Take a new snapshot and try again.",
    { stopped: true },
  );
}
