// `batch`: steps in order, in one round trip. A step marked `overlap` does not
// hold up the next one. The first step that fails ends the batch.
import type { BatchParams, BatchResult, BatchStep } from "../../protocol/generated";
import { Refused, refusalOf } from "../../protocol/refused";
import { explainChromeError } from "../chrome-errors";
import { type CallContext, type Capability, defineCapability } from "./capability";
import { referencedSteps, substitute } from "./substitution";

type Outcome = { ok: true; result: unknown } | { ok: false; error: unknown };

/** Takes the finder, since the registry that has it lists this capability too. */
export function makeBatch(find: (name: string) => Capability | undefined): Capability {
  return defineCapability<BatchParams>({
    name: "batch",
    version: "1.0",
    riskLevel: "act",
    requiresGesture: false,
    dataTypes: [],
    tracksItself: true,
    async run({ steps }, context): Promise<BatchResult> {
      if (!Array.isArray(steps)) throw new Refused("invalid_arguments", "A batch needs steps.");
      return { results: await runSteps(steps, find, context) };
    },
  });
}

async function runSteps(
  steps: BatchStep[],
  find: (name: string) => Capability | undefined,
  context: CallContext,
): Promise<unknown[]> {
  const started: Promise<Outcome>[] = [];
  const results: unknown[] = [];
  let failed = false;
  const begin = (step: BatchStep): Promise<Outcome> => {
    const index = started.length;
    const outcome = runStep(step, results, find, context).then(
      (result): Outcome => {
        results[index] = result;
        return { ok: true, result };
      },
      (error): Outcome => {
        failed = true;
        return { ok: false, error };
      },
    );
    started.push(outcome);
    return outcome;
  };
  const { once } = context;
  for (const result of once.before) results.push(result);
  for (const result of once.before) started.push(Promise.resolve({ ok: true, result }));
  const firstAct = steps.findIndex(({ acts }) => acts);
  const lastAct = steps.findLastIndex(({ acts }) => acts);
  const wasThere = firstAct === 0 ? isThere(steps[0]) : Promise.resolve(true);
  let noted = firstAct === 0 ? beginning(context) : Promise.resolve();
  for (const [index, step] of steps.entries()) {
    if (index < once.before.length) continue;
    await Promise.all(referencedSteps(step.payload).map((index) => started[index]));
    if (failed) break;
    if (index === firstAct) await noted;
    const outcome = begin(step);
    // Noted while the page gets ready, so that the first act need not wait for it.
    if (index === firstAct - 1) noted = beginning(context);
    if (!step.overlap) await outcome;
    if (index === lastAct) {
      await Promise.all(started);
      if (!failed) once.noteActed([...results]);
    }
    if (failed) break;
  }
  // Input that was sent can't be taken back: all that began is awaited.
  const outcomes = await Promise.all(started);
  const step = outcomes.findIndex(({ ok }) => !ok);
  const failure = outcomes[step];
  if (failure && !failure.ok) {
    const { error, code, details } = refusalOf(explainChromeError(failure.error));
    // What acts at once may have found no tab to act in.
    const hasActed = firstAct >= 0 && step >= firstAct && (await wasThere);
    if (code === "no_tab" && hasActed) throw closedMeanwhile();
    const before = outcomes.slice(0, step).map((outcome) => (outcome.ok ? outcome.result : null));
    throw new Refused(code ?? "capability_failed", error, { ...details, step, results: before });
  }
  return outcomes.map((outcome) => (outcome.ok ? outcome.result : null));
}

/** Whether the tab of a step is; nobody waits for the answer unless the step fails. */
async function isThere(step: BatchStep | undefined): Promise<boolean> {
  const { tabId } = (step?.payload ?? {}) as { tabId?: number };
  if (tabId === undefined) return true;
  return chrome.tabs.get(tabId).then(
    () => true,
    () => false,
  );
}

/** Whoever acts waits for it; where nothing is ready to act on, nobody does. */
async function beginning({ once, signal }: CallContext): Promise<void> {
  // What was called off does not begin any more.
  if (signal.aborted) return;
  const begun = once.begin();
  begun.catch(() => {});
  await begun;
}

/** Many popups close themselves when they are done with. */
function closedMeanwhile(): Refused {
  return new Refused(
    "no_tab",
    "The tab closed as this was done, most likely because of it. List the tabs to see which are there, and don't do it again.",
  );
}

async function runStep(
  step: BatchStep,
  results: readonly unknown[],
  find: (name: string) => Capability | undefined,
  context: CallContext,
): Promise<unknown> {
  context.signal.throwIfAborted();
  if (step.type === "batch") {
    throw new Refused("invalid_arguments", "A batch can't hold another batch.");
  }
  const capability = find(step.type);
  if (!capability) {
    throw new Refused("unknown_message", "This extension has no such capability.", {
      by: step.type,
    });
  }
  return (await capability.run(substitute(step.payload, results) ?? {}, context)) ?? null;
}
