// `aftermath`: what became of an input, and what the page is like then, in one answer.
import { facts } from "./facts";
import { fieldAlone } from "./spared";
import { Walk } from "./walk";
import { type DomChanges, domChanges } from "./watch";

export interface AftermathArgs {
  /** A look at all of the page is not needed where only the field changed. */
  sparing: boolean;
}

export interface Aftermath {
  changes: DomChanges;
  /** As `facts` answers them: of all of the page. */
  facts?: string;
  /** The nodes of the field alone that was typed into, where nothing else changed. */
  field?: string;
}

export async function aftermath(args: AftermathArgs | null): Promise<Aftermath> {
  const changes = await domChanges();
  const field = args?.sparing ? fieldAlone() : undefined;
  if (field) return { changes, field: nodesOf(field) };
  return { changes, facts: await facts(null) };
}

function nodesOf(field: Element): string {
  const walk = new Walk(false, field);
  walk.advance(() => false);
  return JSON.stringify(walk.nodes());
}
