// Numbers of elements: one for the life of the element, never given out twice.
// Neither map keeps an element alive that the page dropped.
import { Refused } from "../protocol/refused";

const numbers = new WeakMap<Element, number>();
const elements = new Map<number, WeakRef<Element>>();
let last = 0;

export function numberOf(element: Element): number {
  const known = numbers.get(element);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(element, last);
  elements.set(last, new WeakRef(element));
  return last;
}

/** The element of a number, if it is still in the document. */
export function elementOf(number: number): Element | undefined {
  const element = elements.get(number)?.deref();
  if (!element) elements.delete(number);
  return element?.isConnected ? element : undefined;
}

/** The same, for whoever can't go on without it. */
export function livingElement(number: number): Element {
  const element = elementOf(number);
  if (element) return element;
  throw new Refused("stale_ref", "The element is gone from the page: take a new snapshot.");
}
