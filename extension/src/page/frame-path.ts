// From a point of this frame to the same point of the main one. Only through
// frames of the same origin: of others the browser tells nothing.
import type { Prepared } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { describeElement } from "./hit";

export function inMainViewport(x: number, y: number): Prepared {
  let point = { x, y };
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
    point = inParent(point, frameElementOf(frame));
  }
  return point;
}

function frameElementOf(frame: Window): Element {
  // Reading it throws for some frames of other origins and is null for the rest.
  let element: Element | null = null;
  try {
    element = frame.frameElement;
  } catch {}
  if (element) return element;
  throw new Refused(
    "unsupported_page",
    "The element is in a frame of another site, where nothing can be clicked yet.",
  );
}

function inParent({ x, y }: Prepared, frameElement: Element): Prepared {
  const rect = frameElement.getBoundingClientRect();
  const style = getComputedStyle(frameElement);
  const outer = {
    x: rect.left + frameElement.clientLeft + Number.parseFloat(style.paddingLeft) + x,
    y: rect.top + frameElement.clientTop + Number.parseFloat(style.paddingTop) + y,
  };
  const hit = frameElement.getRootNode() as Document | ShadowRoot;
  const top = hit.elementFromPoint(outer.x, outer.y);
  if (top === frameElement) return outer;
  throw new Refused(
    "covered",
    "Something else covers the frame that the element is in. Close or scroll away what covers it.",
    {
      by: top ? describeElement(top) : "the edge of the page",
    },
  );
}
