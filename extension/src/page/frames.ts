// Where this frame is among the others, and where the frames in it are. Indexes
// in `window.frames` are the one thing that parent and child agree on across
// sites: neither can see the other's elements or address.
import { selectIn } from "./clobbered";

/**
 * For each frame on the way down from the main one its index in its parent;
 * undefined if a parent doesn't list it (frames in shadow roots are not listed).
 */
export function pathOfFrame(): number[] | undefined {
  const path: number[] = [];
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent) {
    const index = indexOf(frame, frame.parent);
    if (index === undefined) return undefined;
    path.unshift(index);
  }
  return path;
}

/** The index of the frame that an element shows. */
export function frameIndexOf(element: Element): number | undefined {
  if (element instanceof HTMLEmbedElement) return embeddedIndex();
  const { contentWindow } = element as Partial<HTMLIFrameElement>;
  return contentWindow ? indexOf(contentWindow, window) : undefined;
}

/** An `<embed>` doesn't say what it shows: if it is the only one, what no other element does. */
function embeddedIndex(): number | undefined {
  if (window.length === 0 || selectIn(document, "embed").length > 1) return undefined;
  const held = new Set([...selectIn(document, "iframe,frame,object")].map(frameIndexOf));
  const [index, ...more] = [...Array(window.length).keys()].filter((at) => !held.has(at));
  return more.length === 0 ? index : undefined;
}

/** Whether an element shows a page; an `<object>` or `<embed>` may show a picture as well. */
export function holdsPage(element: Element): boolean {
  if (element instanceof HTMLEmbedElement) return embeddedIndex() !== undefined;
  return "contentWindow" in element && element.contentWindow !== null;
}

/** Indexes of the frames in this one, in the order in which they stand in the page. */
export function framesInside(): number[] {
  if (window.length === 0) return [];
  const indexes = [...selectIn(document, "iframe,frame,object,embed")].map(frameIndexOf);
  return indexes.filter((index) => index !== undefined);
}

/** Without border and padding: a point of the frame can be placed by it. */
export function contentBox(element: Element, rect: DOMRect): DOMRect {
  const style = getComputedStyle(element);
  const [left, right, top, bottom] = (["Left", "Right", "Top", "Bottom"] as const).map(
    (side) =>
      Number.parseFloat(style[`border${side}Width`]) + Number.parseFloat(style[`padding${side}`]),
  ) as [number, number, number, number];
  return new DOMRect(
    rect.x + left,
    rect.y + top,
    Math.max(0, rect.width - left - right),
    Math.max(0, rect.height - top - bottom),
  );
}

/** The index of a frame in the list of its parent. */
export function indexOf(frame: Window, parent: Window): number | undefined {
  for (let index = 0; index < parent.length; index += 1) {
    if (parent[index] === frame) return index;
  }
  return undefined;
}
