// `evaluate`: runs a function of the caller's in a page's own world and answers
// what it returned as JSON, without the values of secret fields.
import type { Evaluated, EvaluateParams, WithoutSecretsArgs } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { sendDebuggerCommand } from "../debugger";
import {
  dropElement,
  evaluate as evaluateIn,
  holdElement,
  jsonOf,
  type RemoteObject,
} from "../evaluation";
import { callPage } from "../page-calls";
import { defineCapability } from "./capability";

/** Answer this long before the deadline, so that the answer is in time. */
const MARGIN_MS = 300;
/** More than this drowns whoever asked. */
const LONGEST_JSON = 40_000;
const LONGEST_ERROR = 2_000;
const LONGEST_DESCRIPTION = 200;
/** So far beyond a cut secrets are looked for, so that none is cut in two. */
const LONGEST_SECRET = 20_000;
/** What Chrome would give back as an empty object. */
const SHAPELESS = new Set([
  "node",
  "map",
  "set",
  "weakmap",
  "weakset",
  "iterator",
  "generator",
  "regexp",
  "promise",
  "proxy",
  "error",
]);

export const evaluate = defineCapability<EvaluateParams>({
  name: "evaluate",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: ["pageValues"],
  async run({ tabId, source, origin, element }, { signal, deadline }): Promise<Evaluated> {
    // Attaches, and tells of a dialog or of a page that answers nothing.
    await sendDebuggerCommand(tabId, "Page.getLayoutMetrics");
    const held = element && (await holdElement(tabId, element.document, element.node));
    try {
      const limitMs = Math.max(1, deadline - MARGIN_MS - Date.now());
      const run = { source, origin, limitMs, signal, ...(held && { element: held }) };
      const returned = await evaluateIn(tabId, run).catch(async (error) => {
        throw await toldError(tabId, error);
      });
      return await told(tabId, returned);
    } finally {
      if (held) dropElement(tabId, held);
    }
  },
});

async function told(tabId: number, returned: RemoteObject): Promise<Evaluated> {
  const { type, subtype, unserializableValue, description } = returned;
  if (type === "undefined") return {};
  const isShapeless = type === "function" || type === "symbol" || SHAPELESS.has(subtype ?? "");
  if (isShapeless || unserializableValue !== undefined) {
    const said = unserializableValue ?? description ?? type;
    throw new Refused(
      "evaluation_failed",
      "The function ran, but what it returned is below and has no form in JSON. Return strings, numbers, lists or plain objects made of it.",
      { by: await withoutSecrets(tabId, said, LONGEST_DESCRIPTION) },
    );
  }
  const json = JSON.stringify(await jsonOf(tabId, returned)) ?? "null";
  const shown = await withoutSecrets(tabId, json, LONGEST_JSON);
  return { json: shown, ...(json.length > LONGEST_JSON && { letters: json.length }) };
}

/** What was thrown may hold a secret as well as what is returned. */
async function toldError(tabId: number, error: unknown): Promise<unknown> {
  if (!(error instanceof Refused) || error.code !== "evaluation_failed") return error;
  const { by } = error.details ?? {};
  if (typeof by !== "string") return error;
  const words = await withoutSecrets(tabId, by, LONGEST_ERROR);
  return new Refused(error.code, error.message, { by: words });
}

/** The first letters of a text. Compared in the pages: no secret leaves them for it. */
async function withoutSecrets(tabId: number, whole: string, longest: number): Promise<string> {
  const args: WithoutSecretsArgs = { text: whole.slice(0, longest + LONGEST_SECRET) };
  const text = whole.slice(0, longest);
  const frames = await callPage(tabId, "secretsIn", args, "all").catch((error) => {
    if (error instanceof Refused && error.code === "unresponsive") throw unchecked();
    return [];
  });
  if (frames.length === 0) {
    // No script gets into an empty tab; what is in there, the caller put there.
    if ((await chrome.tabs.get(tabId)).url === "about:blank") return text;
    throw new Refused(
      "evaluation_failed",
      "The function ran, but the page went elsewhere before its answer could be checked for secrets. Take a browser_snapshot.",
    );
  }
  const spans = frames.flatMap(({ value }) => (value as [number, number][] | undefined) ?? []);
  return veiled(text, spans);
}

function unchecked(): Refused {
  return new Refused(
    "evaluation_failed",
    "The function ran, but a frame of the page answers nothing, so its answer could not be checked for secrets. Wait, or load the page anew, before you run it again.",
  );
}

/** Spans may overlap, of one frame or of several, and go beyond the text. */
function veiled(text: string, spans: [start: number, end: number][]): string {
  let out = "";
  let at = 0;
  for (const [start, end] of spans.toSorted(([one], [other]) => one - other)) {
    if (start >= text.length) break;
    if (end <= at) continue;
    if (start >= at) out += `${text.slice(at, start)}[secret]`;
    at = end;
  }
  return out + text.slice(at);
}
