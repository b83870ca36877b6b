// `scroll`: the page, or the box around an element, and where it stands then.
import type { ScrollArgs, Scrolled } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { page, parentOf } from "./clobbered";
import { elementAt } from "./hit";
import { refuseOtherOrigin } from "./origin";
import { scrollTo, usableElement } from "./prepare";
import { isVisible } from "./visibility";
import { watchDom } from "./watch";

export function scroll({ origin, node, how }: ScrollArgs): Scrolled {
  refuseOtherOrigin(origin);
  const element = node === undefined ? undefined : usableElement({ node, origin, clear: false });
  watchDom(element);
  const box = element ? scrollerAround(element) : pageScroller();
  const [left, top] = [box.scrollLeft, box.scrollTop];
  if (how === "intoView") {
    if (element) bringIntoView(element);
  } else if (how === "top") {
    box.scrollTo({ top: 0, behavior: "instant" });
  } else if (how === "bottom") {
    box.scrollTo({ top: box.scrollHeight, behavior: "instant" });
  } else {
    const [x, y] = how.by;
    box.scrollBy({ left: x, top: y, behavior: "instant" });
  }
  const hasMoved = box.scrollLeft !== left || box.scrollTop !== top;
  if (hasMoved) tellUndrawn(box);
  return {
    // A page that reads from right to left counts across from 0 downwards.
    at: [Math.abs(box.scrollLeft), box.scrollTop],
    end: [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight],
    isPage: box === rootScroller(),
    hasMoved,
  };
}

/** The browser tells of scrolling when it draws, which it doesn't where nobody looks. */
function tellUndrawn(box: Element): void {
  if (document.visibilityState !== "hidden") return;
  const isPage = box === rootScroller();
  for (const type of ["scroll", "scrollend"]) {
    (isPage ? document : box).dispatchEvent(new Event(type, { bubbles: isPage }));
  }
}

function bringIntoView(element: Element): void {
  if (!isVisible(element)) {
    throw new Refused(
      "hidden",
      "The element can't be seen, wherever the page is scrolled to. It may be in a closed menu.",
    );
  }
  scrollTo(element);
}

function rootScroller(): Element {
  const root = document.scrollingElement ?? page.documentElement;
  if (root) return root;
  throw new Refused("unsupported_page", "The page has nothing that could be scrolled.");
}

/** Many pages scroll in a box that fills the window, and not themselves. */
function pageScroller(): Element {
  const root = rootScroller();
  if (canScroll(root)) return root;
  const middle = elementAt(innerWidth / 2, innerHeight / 2);
  return (middle && scrollerAt(middle)) || root;
}

/** The element itself where it is one. */
function scrollerAround(element: Element): Element {
  return scrollerAt(element) ?? rootScroller();
}

function scrollerAt(element: Element): Element | undefined {
  const root = rootScroller();
  for (let around: Element | null = element; around && around !== root; around = parentOf(around)) {
    const { overflowX, overflowY } = getComputedStyle(around);
    const isBox = [overflowX, overflowY].some((one) => one === "auto" || one === "scroll");
    if (isBox && around !== page.root && canScroll(around)) return around;
  }
  return undefined;
}

function canScroll(element: Element): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  return scrollHeight > clientHeight || scrollWidth > clientWidth;
}
