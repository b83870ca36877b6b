// The accessible name of any element, for when there is no walk that gathers it
// on its way.
import { alternativeOf } from "./alternatives";
import type { LabelsOf } from "./labels";
import { placeholderOf, statedName, titleOf } from "./names";
import { isNamedByContent } from "./roles";

/** Beside those that a person operates. */
const ALSO_BY_CONTENT = new Set(
  "caption cell columnheader gridcell heading row rowheader tooltip".split(" "),
);

/** Empty if nothing names it. Not for a form whose fields hide its properties. */
export function nameOf(element: Element, tag: string, role: string, labels: LabelsOf): string {
  const stated = statedName(element, tag, true, labels);
  if (stated) return stated;
  const content = isNamedByContent(role) || ALSO_BY_CONTENT.has(role) ? alternativeOf(element) : "";
  return content || titleOf(element) || placeholderOf(element);
}
