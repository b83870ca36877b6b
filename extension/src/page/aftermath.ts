// `aftermath`: what became of an input, and what the page is like then, in one answer.
import { facts } from "./facts";
import { type DomChanges, domChanges } from "./watch";

export interface Aftermath {
  changes: DomChanges;
  /** As `facts` answers them. */
  facts: string;
}

export async function aftermath(): Promise<Aftermath> {
  return { changes: await domChanges(), facts: await facts(null) };
}
