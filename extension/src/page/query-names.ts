// The accessible name of any element, for when there is no walk that gathers it
// on its way.
import { alternativeOf } from "./alternatives";
import type { LabelsOf } from "./labels";
import { placeholderOf, statedName, titleOf } from "./names";
import { takesNameFromContent } from "./roles";
import { unlessHeld } from "./secrets";

/** Empty if nothing names it. Not for a form whose fields hide its properties. */
export function nameOf(element: Element, tag: string, role: string, labels: LabelsOf): string {
  const stated = statedName(element, tag, true, labels);
  const content = !stated && takesNameFromContent(role) ? alternativeOf(element) : "";
  const name = stated || content || titleOf(element) || placeholderOf(element);
  return unlessHeld(element, name);
}
