// `elementIs`: whether an element is in a state that somebody waits for.
import type { ElementState, ElementStateArgs } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { elementOf } from "./numbers";
import { toldRole } from "./selectors";
import { isDisabled, stateOf } from "./states";
import { isVisible } from "./visibility";

const WHEN_GONE = new Set<ElementState>(["gone", "hidden"]);

export function elementIs({ node, state }: ElementStateArgs): boolean {
  const element = elementOf(node);
  if (element) return isIn(element, state);
  if (WHEN_GONE.has(state)) return true;
  throw new Refused("stale_ref", "The element is gone from the page: take a new snapshot.");
}

function isIn(element: Element, state: ElementState): boolean {
  switch (state) {
    case "visible":
      return isVisible(element);
    case "hidden":
      return !isVisible(element);
    case "enabled":
      return !isDisabled(element);
    case "disabled":
      return isDisabled(element);
    case "gone":
      return false;
    default:
      return isMarked(element, state);
  }
}

function isMarked(
  element: Element,
  state: "checked" | "unchecked" | "expanded" | "collapsed",
): boolean {
  const tag = element.localName;
  const { checked, expanded } = stateOf(element, tag, toldRole(element, tag), true, true, null);
  switch (state) {
    case "checked":
      return checked === "true";
    case "unchecked":
      return checked === "false";
    case "expanded":
      return expanded === true;
    case "collapsed":
      return expanded === false;
  }
}
