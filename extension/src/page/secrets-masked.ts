// Fields whose letters a style sheet turns into dots: the page keeps from people what
// is in them, whatever type they are of. A page may show it on demand, as it does with
// a password, and so what was masked once counts as masked.
import { styleOf } from "./styles";

const masked = new WeakSet<Element>();

export function isMasked(field: Element): boolean {
  if (masked.has(field)) return true;
  // Nothing of what isn't in the page.
  const security = styleOf(field).getPropertyValue("-webkit-text-security");
  if (security === "" || security === "none") return false;
  masked.add(field);
  return true;
}
