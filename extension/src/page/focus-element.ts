// `focusElement`: gives any element the focus, so that a key goes to it.
import type { ElementArgs } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { prepareElement, type Ready, usableElement } from "./prepare";
import { focusedElement } from "./visibility";

export async function focusElement(args: ElementArgs): Promise<Ready> {
  const element = usableElement(args);
  const prepared = await prepareElement(element, "focus", args.point);
  // Not every kind of element has it.
  (element as Element & Partial<HTMLOrSVGElement>).focus?.({ preventScroll: true });
  // It may hand the focus on to something inside it.
  if (focusedElement() === element || element.matches(":focus-within")) return prepared;
  throw new Refused(
    "not_editable",
    "The element does not take the focus. Click it, or use the ref of the control inside it.",
  );
}
