// How code on this side says no: one error class with a stable code, and the
// one place where any error becomes the wire's `Refusal`. Sentences are fixed:
// the hub shows them as its own words. What a page or the browser has to say
// goes to `details.by`, which the hub fences off.
import type { ErrorCode, Refusal } from "./generated";

export class Refused extends Error {
  constructor(
    readonly code: ErrorCode,
    sentence: string,
    readonly details?: Record<string, unknown>,
  ) {
    super(sentence);
    this.name = "Refused";
  }
}

const UNEXPECTED = "The browser could not do that. Take a new snapshot and try again.";

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) {
    const refusal: Refusal = { error: error.message, code: error.code };
    return error.details ? { ...refusal, details: error.details } : refusal;
  }
  const message = error instanceof Error ? error.message : String(error);
  return { error: UNEXPECTED, code: "capability_failed", details: { by: message } };
}

export function refusedFrom(refusal: Refusal): Refused {
  return new Refused(refusal.code ?? "capability_failed", refusal.error, refusal.details);
}
