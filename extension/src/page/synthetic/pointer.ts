// The mouse as synthetic events: what a browser sends for moving, pressing,
// releasing and turning the wheel, in its order, and what it does by itself
// where the page doesn't object (focus, scrolling, drag and drop; a click on a
// link or a button does its work by itself).
import { matches, page, parentOf } from "../clobbered";
import { beginDrag, dragTo, endDrag } from "./drag-and-drop";
import { EVERYWHERE, heldKeys, send } from "./events";
import { moveFocusTo } from "./focusing";
import { targetAt } from "./prepared-press";

export interface MouseInput {
  type: string;
  x: number;
  y: number;
  button?: string;
  buttons?: number;
  clickCount?: number;
  modifiers?: number;
  deltaX?: number;
  deltaY?: number;
}

const BUTTONS = ["left", "middle", "right"];
const FOCUSABLE =
  "a[href],area[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable]";

/** From so many pixels on, what is pressed is dragged. */
const DRAG_PX = 4;

let over: Element | undefined;
let pressed: Element | undefined;
/** Where, as long as nothing is known of what moving it does. */
let pressedAt: { x: number; y: number } | undefined;

export function moveMouse(input: MouseInput): void {
  const { target, point } = targetAt(input.x, input.y);
  const init: PointerEventInit = {
    ...EVERYWHERE,
    ...heldKeys(input.modifiers),
    view: window,
    clientX: point.x,
    clientY: point.y,
    button: Math.max(0, BUTTONS.indexOf(input.button ?? "")),
    buttons: input.buttons ?? 0,
    detail: input.clickCount ?? 0,
    pointerId: 1,
    pointerType: "mouse",
    isPrimary: true,
  };
  enter(target, init);
  switch (input.type) {
    case "mousePressed":
      press(target, init);
      break;
    case "mouseReleased":
      release(target, init);
      break;
    case "mouseWheel":
      turnWheel(target, init, input.deltaX ?? 0, input.deltaY ?? 0);
      break;
    default:
      move(target, init);
  }
}

/** While the browser drags something, a page hears nothing of the pointer itself. */
function move(target: Element, init: PointerEventInit): void {
  if (dragTo(target, init)) return;
  send(target, new PointerEvent("pointermove", init));
  send(target, new MouseEvent("mousemove", init));
  const { clientX: x = 0, clientY: y = 0 } = init;
  if (!pressed || !pressedAt || Math.hypot(x - pressedAt.x, y - pressedAt.y) < DRAG_PX) return;
  pressedAt = undefined;
  if (!beginDrag(pressed, init)) return;
  send(pressed, new PointerEvent("pointercancel", { ...init, cancelable: false }));
  pressed = undefined;
}

function enter(target: Element, init: PointerEventInit): void {
  const left = over;
  if (left === target) return;
  over = target;
  const inside = { ...init, bubbles: false, cancelable: false };
  if (left?.isConnected) {
    const away = { ...init, relatedTarget: target };
    send(left, new PointerEvent("pointerout", away));
    send(left, new MouseEvent("mouseout", away));
    for (const one of ancestors(left)) {
      if (isWithin(target, one)) break;
      send(one, new PointerEvent("pointerleave", { ...inside, relatedTarget: target }));
      send(one, new MouseEvent("mouseleave", { ...inside, relatedTarget: target }));
    }
  }
  const relatedTarget = left ?? null;
  send(target, new PointerEvent("pointerover", { ...init, relatedTarget }));
  send(target, new MouseEvent("mouseover", { ...init, relatedTarget }));
  const entered = ancestors(target).filter((one) => !left || !isWithin(left, one));
  for (const one of entered.reverse()) {
    send(one, new PointerEvent("pointerenter", { ...inside, relatedTarget }));
    send(one, new MouseEvent("mouseenter", { ...inside, relatedTarget }));
  }
}

function press(target: Element, init: PointerEventInit): void {
  pressed = target;
  pressedAt = undefined;
  if (!send(target, new PointerEvent("pointerdown", init))) return;
  if (!send(target, new MouseEvent("mousedown", init))) return;
  const { clientX: x = 0, clientY: y = 0 } = init;
  if (init.button === 0) pressedAt = { x, y };
  const focusable = ancestors(target).find((one) => matches(one, FOCUSABLE));
  moveFocusTo(focusable instanceof HTMLElement ? focusable : null);
}

function release(target: Element, init: PointerEventInit): void {
  pressedAt = undefined;
  if (endDrag(target, init)) return;
  send(target, new PointerEvent("pointerup", init));
  send(target, new MouseEvent("mouseup", init));
  const both = pressed && ancestors(target).find((one) => pressed && isWithin(pressed, one));
  pressed = undefined;
  if (!both) return;
  if (init.button === 0) {
    send(both, new PointerEvent("click", init));
    if (init.detail === 2) send(both, new MouseEvent("dblclick", init));
    return;
  }
  send(both, new PointerEvent("auxclick", init));
  if (init.button === 2) send(both, new PointerEvent("contextmenu", init));
}

function turnWheel(target: Element, init: PointerEventInit, deltaX: number, deltaY: number): void {
  if (!send(target, new WheelEvent("wheel", { ...init, deltaX, deltaY }))) return;
  for (const one of ancestors(target)) {
    const before = [one.scrollLeft, one.scrollTop];
    const isPage = one === page.documentElement || one === page.root;
    const { overflowX, overflowY } = getComputedStyle(one);
    if (isPage || /auto|scroll/.test(overflowX + overflowY)) {
      const scrolled = isPage ? (document.scrollingElement ?? one) : one;
      const start = isPage ? [scrolled.scrollLeft, scrolled.scrollTop] : before;
      scrolled.scrollBy({ left: deltaX, top: deltaY, behavior: "instant" });
      if (scrolled.scrollLeft !== start[0] || scrolled.scrollTop !== start[1]) return;
    }
  }
}

/** From an element up, itself included. */
function ancestors(element: Element): Element[] {
  const all: Element[] = [];
  for (let one: Element | null = element; one; one = parentOf(one)) all.push(one);
  return all;
}

function isWithin(inner: Element, outer: Element): boolean {
  return ancestors(inner).includes(outer);
}
