// What boxes around an element cut off of it. The boxes around each element are
// summed up in one, so that the next element inside asks that one only.
import { isFixedBeside } from "./beside-view";
import { boundsOf, page, parentOf, tagOf } from "./clobbered";
import { isCutAway } from "./cut-away";
import { NOWHERE, type ScrolledBy, scrolledInside } from "./scrolled-by";
import { hasSize } from "./visibility";

/** What several boxes leave to be seen. Nothing is outside if all are endless. */
interface Room {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** One of them is too small to show anything. */
  isEmpty: boolean;
}

/** An element as a box around others. */
interface Box {
  position: string;
  /** What it and all that is around it leave of what flows in it. */
  room: Room;
  /** The same, of what cuts off for good only: elsewhere, one can scroll. */
  finalRoom: Room;
  scrolledBy: ScrolledBy;
  /** Fixed beside what is in view, or in something that is. */
  isBeside: boolean;
  /** A style sheet leaves nothing of it to see, or of something that it is in. */
  isCutAway: boolean;
  /** The nearest one, itself included, that what is placed absolutely minds. */
  placed: Box | undefined;
}

const ENDLESS: Room = {
  left: Number.NEGATIVE_INFINITY,
  top: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
  isEmpty: false,
};

export class Clips {
  readonly #boxes = new Map<Element, Box>();

  /** Whether boxes around it leave nothing of a rectangle; `isFinal`: for good. */
  cutsOff(element: Element, rect: DOMRect, isFinal: boolean): boolean {
    const around = this.#boxFor(element);
    if (!around) return false;
    const room = isFinal ? around.finalRoom : around.room;
    return (
      rect.right < room.left ||
      rect.left > room.right ||
      rect.bottom < room.top ||
      rect.top > room.bottom
    );
  }

  /** Whether a box around it is too small to show anything. */
  isShut(element: Element): boolean {
    return this.#boxFor(element)?.finalRoom.isEmpty ?? false;
  }

  /** How far the boxes around it are scrolled. */
  scrolledBy(element: Element): ScrolledBy {
    return this.#boxFor(element)?.scrolledBy ?? NOWHERE;
  }

  /** Whether it is in something that is fixed beside what is in view. */
  isBeside(element: Element): boolean {
    return this.#boxFor(element)?.isBeside ?? false;
  }

  /** Whether a style sheet leaves nothing of it to see; whatever is in such a thing is gone with it. */
  isCutAway(element: Element): boolean {
    const style = getComputedStyle(element);
    const isOwn = style.display !== "inline" && isCutAway(style, style.position);
    return isOwn || (this.#boxAround(parentOf(element))?.isCutAway ?? false);
  }

  #boxFor(element: Element): Box | undefined {
    const { position } = getComputedStyle(element);
    return boxFor(position, this.#boxAround(parentOf(element)));
  }

  /** From the outside in, since a page may be deeper than the script's stack. */
  #boxAround(innermost: Element | null): Box | undefined {
    const unknown: Element[] = [];
    let element = innermost;
    while (element && !this.#boxes.has(element)) {
      unknown.push(element);
      element = parentOf(element);
    }
    let box = element ? this.#boxes.get(element) : undefined;
    for (const inner of unknown.reverse()) {
      box = boxOf(inner, box);
      this.#boxes.set(inner, box);
    }
    return box;
  }
}

function boxOf(element: Element, outer: Box | undefined): Box {
  const style = getComputedStyle(element);
  const { overflowX, overflowY, position, display } = style;
  const around = boxFor(position, outer);
  const { room, finalRoom, scrolledBy } = around ?? {
    room: ENDLESS,
    finalRoom: ENDLESS,
    scrolledBy: NOWHERE,
  };
  // The page's own scrolling is not a box in the page.
  const isPage = element === page.root || element === page.documentElement;
  const isBox = !isPage && display !== "inline" && display !== "contents";
  const clip = isBox && overflowX !== "visible" ? boundsOf(element) : undefined;
  const isFinal = !/auto|scroll/.test(overflowX + overflowY);
  const box: Box = {
    position,
    room: clip ? smaller(room, clip) : room,
    finalRoom: clip && isFinal ? smaller(finalRoom, clip) : finalRoom,
    scrolledBy: clip ? scrolledInside(element, tagOf(element), style, scrolledBy) : scrolledBy,
    isBeside:
      position === "fixed"
        ? isFixedBeside(element, boundsOf(element))
        : (around?.isBeside ?? false),
    isCutAway: (outer?.isCutAway ?? false) || (display !== "inline" && isCutAway(style, position)),
    placed: outer?.placed,
  };
  if (position !== "static") box.placed = box;
  return box;
}

/** What is fixed minds no box, what is placed absolutely only those that are placed too. */
function boxFor(position: string, outer: Box | undefined): Box | undefined {
  if (position === "fixed") return undefined;
  return position === "absolute" ? outer?.placed : outer;
}

function smaller(room: Room, clip: DOMRect): Room {
  return {
    left: Math.max(room.left, clip.left),
    top: Math.max(room.top, clip.top),
    right: Math.min(room.right, clip.right),
    bottom: Math.min(room.bottom, clip.bottom),
    isEmpty: room.isEmpty || !hasSize(clip),
  };
}
