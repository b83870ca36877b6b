// `{"$step": n, "pointer": "/a/b"}` in a batch: a part of an earlier step's
// result, named by a JSON pointer (RFC 6901). Pure.
import { Refused } from "../../protocol/refused";

interface Reference {
  $step: number;
  pointer: string;
}

/** Which steps a payload refers to. */
export function referencedSteps(payload: unknown): number[] {
  const steps = new Set<number>();
  replaceReferences(payload, ({ $step }) => steps.add($step));
  return [...steps];
}

/** The payload with every reference replaced by what it stands for. */
export function substitute(payload: unknown, results: readonly unknown[]): unknown {
  return replaceReferences(payload, ({ $step, pointer }) => {
    if ($step < 0 || $step >= results.length) {
      throw new Refused(
        "invalid_arguments",
        "The batch refers to a step that does not come before.",
      );
    }
    return resolvePointer(results[$step], pointer);
  });
}

function replaceReferences(value: unknown, replace: (reference: Reference) => unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceReferences(item, replace));
  if (isReference(value)) return replace(value);
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    replaceReferences(item, replace),
  ]);
  return Object.fromEntries(entries);
}

function isReference(value: object): value is Reference {
  const { $step, pointer, ...rest } = value as Partial<Reference>;
  return Number.isInteger($step) && typeof pointer === "string" && Object.keys(rest).length === 0;
}

function resolvePointer(result: unknown, pointer: string): unknown {
  const missing = () =>
    new Refused(
      "invalid_arguments",
      "The batch refers to a part that the result of a step does not have.",
      { by: pointer },
    );
  if (pointer === "") return result;
  if (!pointer.startsWith("/")) throw missing();
  let value = result;
  for (const token of pointer.slice(1).split("/")) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) throw missing();
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
