// `secretsIn`: where a text holds what a secret field of the frame holds. Only the
// places leave the page.
import type { WithoutSecretsArgs } from "../protocol/generated";
import { isSecret } from "./secrets";
import { rootsIn, selectAll } from "./selectors";

/** Shorter ones are in any text. */
const SHORTEST = 4;

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export function secretsIn({ text }: WithoutSecretsArgs): [start: number, end: number][] {
  const spans: [number, number][] = [];
  for (const secret of secretValues()) {
    // As JSON writes it, which is how the text was made.
    const written = JSON.stringify(secret).slice(1, -1);
    for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
      spans.push([at, at + written.length]);
    }
  }
  return spans;
}

function secretValues(): Set<string> {
  const values = new Set<string>();
  for (const root of rootsIn(document)) {
    for (const element of selectAll(root, "input,select,textarea")) {
      const { value } = element as Field;
      if (value.length >= SHORTEST && isSecret(element)) values.add(value);
    }
  }
  return values;
}
