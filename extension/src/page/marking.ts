// `markElement`: hangs an element on a global of the isolated world, where the
// debugger finds it; with an empty name, takes it off again.
import type { MarkArgs } from "../protocol/generated";
import { livingElement } from "./numbers";

let marked: string | undefined;

export function markElement({ node, name }: MarkArgs): void {
  const world = globalThis as Record<string, unknown>;
  if (marked !== undefined) delete world[marked];
  marked = undefined;
  if (name === "") return;
  world[name] = livingElement(node);
  marked = name;
}
