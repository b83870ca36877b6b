// Runs a function of the caller's in a page's own world, through the debugger,
// which no content security policy forbids. Chrome ends it when its time is up.
import type { MarkArgs } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { sendDebuggerCommand } from "./debugger";
import { untilInterrupted } from "./interruptions";
import { callPage } from "./page-calls";
import { pause } from "./pause";
import { worldsOf } from "./worlds";

export interface RemoteObject {
  type: string;
  subtype?: string;
  className?: string;
  description?: string;
  value?: unknown;
  unserializableValue?: string;
  objectId?: string;
}

interface Evaluated {
  result: RemoteObject;
  exceptionDetails?: { text: string; exception?: RemoteObject };
}

interface Run {
  /** Source of the function, or of any expression. */
  source: string;
  /** Where the page must be, or nothing is done. */
  origin: string;
  /** Given to the function. */
  element?: HeldElement;
  limitMs: number;
  signal: AbortSignal;
}

/** An element as the page's own world can get at it: under a name nobody knows. */
export interface HeldElement {
  name: string;
  contextId: number;
}

/** What is in `details.by` of a refusal is the page's, secrets included. */
export async function evaluate(tabId: number, run: Run): Promise<RemoteObject> {
  const elsewhere = crypto.randomUUID();
  const given = run.element ? `globalThis[${JSON.stringify(run.element.name)}]` : "";
  const expression = `(() => {
    if (location.origin !== ${JSON.stringify(run.origin)}) throw ${JSON.stringify(elsewhere)};
    const given = (
${run.source}
    );
    return typeof given === "function" ? given(${given}) : given;
  })()`;
  const params = {
    expression,
    awaitPromise: true,
    timeout: run.limitMs,
    ...(run.element && { contextId: run.element.contextId }),
  };
  const work = () => chrome.debugger.sendCommand({ tabId }, "Runtime.evaluate", params);
  const answer = await withinLimit(run, () => untilInterrupted(tabId, work)).catch((error) => {
    throw explained(error);
  });
  const { result, exceptionDetails } = answer as unknown as Evaluated;
  if (!exceptionDetails) return result;
  if (exceptionDetails.exception?.value === elsewhere) {
    throw new Refused(
      "origin_changed",
      "The page went to another site meanwhile, so nothing was done. Take a new snapshot.",
    );
  }
  throw thrown(exceptionDetails);
}

/** What a remote object is as JSON. */
export async function jsonOf(tabId: number, { objectId, value }: RemoteObject): Promise<unknown> {
  if (objectId === undefined) return value;
  const { result } = await sendDebuggerCommand<Evaluated>(tabId, "Runtime.callFunctionOn", {
    objectId,
    functionDeclaration: "function () { return this; }",
    returnByValue: true,
  }).catch((error) => {
    throw explained(error);
  });
  return result.value;
}

/**
 * Makes an element known to the page's own world. The two worlds of a frame share
 * no values, but the debugger knows its elements in both.
 */
export async function holdElement(
  tabId: number,
  documentId: string,
  node: number,
): Promise<HeldElement> {
  const name = `outrigger-${crypto.randomUUID()}`;
  const mark: MarkArgs = { node, name };
  const frames = { documents: [documentId] };
  const [frame] = await callPage(tabId, "markElement", mark, frames);
  if (frame?.refusal) throw new Refused("stale_ref", "The element is gone from the page.");
  try {
    const worlds = await worldsOf(tabId);
    for (const { id, frameId } of worlds.filter(({ isOurs }) => isOurs)) {
      const objectId = await markedIn(tabId, id, name);
      const pages = worlds.find((world) => world.isPages && world.frameId === frameId);
      if (!objectId || !pages) continue;
      await handOver(tabId, objectId, name);
      return { name, contextId: pages.id };
    }
  } finally {
    await callPage(tabId, "markElement", { node: 0, name: "" }, frames).catch(() => {});
  }
  throw new Refused(
    "unsupported_page",
    "The element is in a frame of another site, where the function can't be given it. Open the frame's address itself, or use the other tools.",
  );
}

/** Takes the element out of the page's world again. */
export function dropElement(tabId: number, { name, contextId }: HeldElement): void {
  const expression = `delete globalThis[${JSON.stringify(name)}]`;
  chrome.debugger
    .sendCommand({ tabId }, "Runtime.evaluate", { expression, contextId })
    // With its page it is gone anyway.
    .catch(() => {});
}

async function markedIn(
  tabId: number,
  contextId: number,
  name: string,
): Promise<string | undefined> {
  const marked = `globalThis[${JSON.stringify(name)}]`;
  const found = await sendDebuggerCommand<Evaluated>(tabId, "Runtime.evaluate", {
    expression: marked,
    contextId,
  }).catch(() => undefined);
  return found?.result.objectId;
}

async function handOver(tabId: number, objectId: string, name: string): Promise<void> {
  const send = sendDebuggerCommand;
  const { node } = await send<{ node: { backendNodeId: number } }>(tabId, "DOM.describeNode", {
    objectId,
  });
  const { backendNodeId } = node;
  const { object } = await send<{ object: RemoteObject }>(tabId, "DOM.resolveNode", {
    backendNodeId,
  });
  await send(tabId, "Runtime.callFunctionOn", {
    objectId: object.objectId,
    functionDeclaration: "function (name) { globalThis[name] = this; }",
    arguments: [{ value: name }],
  });
}

/** A promise that is never kept holds nobody longer than code that never ends. */
async function withinLimit<Result>(
  { limitMs, signal }: Run,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const late = pause(limitMs, AbortSignal.any([signal, done.signal])).then(() => {
    throw tooLate();
  });
  late.catch(() => {});
  try {
    return await Promise.race([work(), late]);
  } finally {
    done.abort();
  }
}

function thrown({ text, exception }: { text: string; exception?: RemoteObject }): Refused {
  const words = exception?.description ?? exception?.value ?? text;
  return new Refused(
    "evaluation_failed",
    "The function threw an error, which is below. What it did before may have taken effect.",
    { by: String(words) },
  );
}

function tooLate(): Refused {
  return new Refused(
    "evaluation_failed",
    "The function did not end in time and was given up. What it did by then has taken effect. Have it do less, or allow more with timeoutMs.",
  );
}

function explained(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  if (/Execution was terminated/i.test(message)) return tooLate();
  if (/navigated or closed|context was destroyed|find context/i.test(message)) {
    return new Refused(
      "evaluation_failed",
      "The page went elsewhere before the function returned. Take a browser_snapshot to see where it is.",
    );
  }
  if (/reference chain is too long/i.test(message)) {
    return new Refused(
      "evaluation_failed",
      "The function ran, but what it returned goes in a circle or too deep for JSON. Return the parts you need.",
    );
  }
  if (/returned by value/i.test(message)) {
    return new Refused(
      "evaluation_failed",
      "The function ran, but what it returned has no form in JSON. Return strings, numbers, lists or plain objects made of it.",
    );
  }
  return error;
}
