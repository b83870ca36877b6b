// `drag`: press, move, let go. A page either follows the pointer by itself or
// begins a drag and drop of the browser's own, in which the mouse belongs to the
// system. Such a drag is intercepted before it begins, and carried out by the
// debugger: so it works in the background, and never takes the user's mouse.
// Where the debugger can't attach, the page script sends what a browser would.
import type { Dragged, DragParams } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { DebuggerUnavailable, sendDebuggerCommand } from "../debugger";
import { sendInput } from "../input";
import { callPage } from "../page-calls";
import { expectRequests } from "../page-requests";
import { pause } from "../pause";
import { defineCapability } from "./capability";

interface Point {
  x: number;
  y: number;
}

/** Far enough for a page, and for the browser, to take it for a drag. */
const FIRST_MOVE_PX = 8;
const MOVES = 8;
/** How long the browser may take to say that a drag of its own began. */
const LIKELY_DRAG_MS = 500;
const UNLIKELY_DRAG_MS = 20;

export const drag = defineCapability<DragParams>({
  name: "drag",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: [],
  async run({ tabId, from, to, by, acrossSites }, { signal }): Promise<Dragged> {
    const end = to ?? (by && { x: from.x + by[0], y: from.y + by[1] });
    if (!end) throw new Refused("invalid_arguments", "A drag needs an end.");
    await expectRequests(tabId);
    const begun = watchForDrag(tabId, signal);
    try {
      const isDebugged = await interceptDrags(tabId);
      // Of an intercepted drag it is watched once it began.
      if (!isDebugged) await callPage(tabId, "watchDrop", null, "all");
      const mouse = mouseOf(tabId);
      await mouse("mouseMoved", from);
      await mouse("mousePressed", from);
      await mouse("mouseMoved", towards(from, end, FIRST_MOVE_PX));
      if (isDebugged) await begun.within(from.draggable ? LIKELY_DRAG_MS : UNLIKELY_DRAG_MS);
      for (const point of between(from, end)) {
        if (begun.data) break;
        await mouse("mouseMoved", point);
      }
      const { data } = begun;
      if (data) return { wasTaken: await dropAt({ tabId, from, end, data, acrossSites }) };
      await mouse("mouseReleased", end);
      return isDebugged || !from.draggable ? {} : { wasTaken: await wasTaken(tabId) };
    } finally {
      begun.stop();
      // The tab may be gone by now, or have no debugger.
      sendDebuggerCommand(tabId, "Input.setInterceptDrags", { enabled: false }).catch(() => {});
    }
  },
});

/** Whether there is a debugger that does. */
async function interceptDrags(tabId: number): Promise<boolean> {
  try {
    await sendDebuggerCommand(tabId, "Input.setInterceptDrags", { enabled: true });
    return true;
  } catch (error) {
    if (error instanceof DebuggerUnavailable) return false;
    throw error;
  }
}

interface Drop {
  tabId: number;
  from: Point;
  end: Point;
  data: unknown;
  acrossSites: boolean | undefined;
}

async function dropAt({ tabId, from, end, data, acrossSites }: Drop): Promise<boolean> {
  const send = (type: string, { x, y }: Point) =>
    sendDebuggerCommand(tabId, "Input.dispatchDragEvent", { type, x, y, data });
  await callPage(tabId, "watchDrop", null, "all");
  await send("dragEnter", from);
  for (const point of between(from, end)) await send("dragOver", point);
  // Each process must be told that it is entered: Chrome keeps no account of where an
  // event before was.
  if (acrossSites) await send("dragEnter", end);
  // A page may only say at the second time that it takes it.
  await send("dragOver", end);
  await send("drop", end);
  // Only where it is dropped the drag has ended now; where it began no press would
  // arrive any more.
  if (acrossSites) await send("dragCancel", from);
  await sendDebuggerCommand(tabId, "Input.dispatchMouseEvent", {
    type: "mouseReleased",
    ...end,
    button: "left",
    clickCount: 1,
  });
  return wasTaken(tabId);
}

/** A page that goes away on a drop has taken it. */
async function wasTaken(tabId: number): Promise<boolean> {
  const told = await callPage(tabId, "takeDrop", null, "all").catch(() => undefined);
  return told?.some(({ value }) => value === true) ?? true;
}

function mouseOf(tabId: number): (type: string, point: Point) => Promise<unknown> {
  let buttons = 0;
  return (type, { x, y }) => {
    if (type === "mousePressed") buttons = 1;
    if (type === "mouseReleased") buttons = 0;
    const isMove = type === "mouseMoved";
    return sendInput(tabId, "Input.dispatchMouseEvent", {
      type,
      x,
      y,
      button: isMove && buttons === 0 ? "none" : "left",
      buttons,
      clickCount: isMove ? 0 : 1,
    });
  };
}

/** Listens for the browser's word that a drag of its own would begin. */
function watchForDrag(tabId: number, signal: AbortSignal) {
  const news = new AbortController();
  const watch = {
    data: undefined as unknown,
    within: (ms: number) => pause(ms, AbortSignal.any([signal, news.signal])),
    stop: () => chrome.debugger.onEvent.removeListener(listener),
  };
  const listener = (source: { tabId?: number }, method: string, params?: object) => {
    if (source.tabId !== tabId || method !== "Input.dragIntercepted") return;
    watch.data = (params as { data: unknown }).data;
    news.abort();
  };
  chrome.debugger.onEvent.addListener(listener);
  return watch;
}

/** So many pixels on the way. */
function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length > distance ? distance / length : 1;
  return along(from, to, share);
}

/** Points on the way, the end among them. */
function between(from: Point, to: Point): Point[] {
  return Array.from({ length: MOVES }, (_, index) => along(from, to, (index + 1) / MOVES));
}

function along(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
