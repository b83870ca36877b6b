// The border between the page script and the worker: the name it goes by, and
// the shape in which a function answers.
import type { Refusal } from "../protocol/generated";

/**
 * Global of the isolated world; the page can't see it. The number changes when
 * the script's functions do, so that an updated extension does not call into
 * the script its predecessor left in an open page.
 */
export const PAGE_SCRIPT = "__outrigger6";

/** With the origin of the document that answers. */
export type PageReply =
  | { ok: true; value: unknown; origin: string }
  | { ok: false; refusal: Refusal };
