// `aftermath`: what became of an input, and what the page is like then, in one answer.
import { markCovered } from "./covered";
import { facts } from "./facts";
import { isFieldAlone } from "./spared";
import { surroundingsSoFar } from "./typed";
import { Walk } from "./walk";
import { type DomChanges, domChanges } from "./watch";

export interface Aftermath {
  changes: DomChanges;
  /** As `facts` answers them: of all of the page. */
  facts?: string;
  /** The nodes of the field alone that was typed into, where nothing else changed. */
  field?: string;
}

export async function aftermath(): Promise<Aftermath> {
  const changes = await domChanges();
  const before = surroundingsSoFar();
  if (before && isFieldAlone(before)) return { changes, field: nodesOf(before.field) };
  return { changes, facts: await facts(null) };
}

function nodesOf(field: Element): string {
  const walk = new Walk(false, field);
  walk.advance(() => false);
  markCovered(walk.controlsInView);
  return JSON.stringify(walk.nodes());
}
