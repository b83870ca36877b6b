// The accessible name of any element, for when there is no walk that gathers it
// on its way.
import { alternativeOf } from "./alternatives";
import type { LabelsOf } from "./labels";
import { placeholderOf, statedName, titleOf } from "./names";
import { takesNameFromContent } from "./roles";

/** Empty if nothing names it. Not for a form whose fields hide its properties. */
export function nameOf(element: Element, tag: string, role: string, labels: LabelsOf): string {
  const stated = statedName(element, tag, true, labels);
  if (stated) return stated;
  const content = takesNameFromContent(role) ? alternativeOf(element) : "";
  return content || titleOf(element) || placeholderOf(element);
}
