// `secretsIn`: where a text holds what a secret field of the frame holds. Only the
// places leave the page.
import type { WithoutSecretsArgs } from "../protocol/generated";
import { page } from "./clobbered";
import { FIELDS, heldBy, isSecret } from "./secrets";
import { rootsIn, selectAll } from "./selectors";

/** Shorter ones are in any text. */
const SHORTEST = 4;
/** Shorter, but no part of another number: the code on the back of a card. */
const SHORT_CODE = /^\d{3}$/;

export function secretsIn({ text }: WithoutSecretsArgs): [start: number, end: number][] {
  const spans: [number, number][] = [];
  for (const written of writtenSecrets()) {
    for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
      const end = at + written.length;
      if (written.length >= SHORTEST || isWholeNumber(text, at, end)) spans.push([at, end]);
    }
  }
  return spans;
}

/** As they are, and as JSON writes them: a value comes as JSON, an error as it is. */
function writtenSecrets(): Set<string> {
  const written = new Set<string>();
  for (const secret of secretValues()) {
    written.add(secret).add(JSON.stringify(secret).slice(1, -1));
  }
  return written;
}

function* secretValues(): Generator<string> {
  for (const root of rootsIn(document)) {
    let boxes = "";
    for (const field of selectAll(root, FIELDS)) {
      if (!isSecret(field)) continue;
      const held = partsOf(field).map((part) => part.trim());
      yield* held.filter((part) => part.length >= SHORTEST || SHORT_CODE.test(part));
      if (held[0]?.length === 1) boxes += held[0];
    }
    // A code that is typed into boxes of one letter each.
    if (boxes.length >= SHORTEST) yield boxes;
  }
}

/** What a field holds as a whole; where it is part of the page, also piece by piece. */
function partsOf(field: Element): string[] {
  const parts = [heldBy(field)];
  if (field.matches("input,select,textarea")) return parts;
  const texts = page.textsIn(field);
  while (texts.nextNode()) parts.push((texts.currentNode as Text).data);
  return parts;
}

function isWholeNumber(text: string, start: number, end: number): boolean {
  return (
    !/\d\.?$/.test(text.slice(Math.max(0, start - 2), start)) &&
    !/^\.?\d/.test(text.slice(end, end + 2))
  );
}
