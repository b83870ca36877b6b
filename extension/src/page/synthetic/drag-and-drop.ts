// The browser's own drag and drop as synthetic events: what a browser sends from
// the first move of something draggable until it is let go, in its order. Data
// goes along as the page gave it; a page sees no picture under a pointer.
import { Refused } from "../../protocol/refused";
import { draggableAround } from "../draggable";
import { noteDrop } from "../drop";
import { send } from "./events";

interface Drag {
  source: Element;
  data: DataTransfer;
  over: Element | undefined;
  /** Whether what it is over said that it takes it. */
  isWelcome: boolean;
}

let drag: Drag | undefined;

/** Whether a drag begins with what was pressed: one that a page doesn't object to. */
export function beginDrag(pressed: Element, init: MouseEventInit): boolean {
  const source = draggableAround(pressed);
  if (!source) return false;
  const data = new DataTransfer();
  if (!tell(source, "dragstart", data, init)) return false;
  drag = { source, data, over: undefined, isWelcome: false };
  return true;
}

/** Whether the move was one of a drag. */
export function dragTo(target: Element, init: MouseEventInit): boolean {
  if (!drag) return false;
  const { source, data, over } = drag;
  tell(source, "drag", data, init);
  let isWelcome = false;
  if (over !== target) {
    isWelcome = !tell(target, "dragenter", data, init);
    if (over) tell(over, "dragleave", data, init);
    drag.over = target;
  }
  isWelcome = !tell(target, "dragover", data, init) || isWelcome;
  drag.isWelcome = isWelcome;
  return true;
}

/** Whether a drag ended with it. */
export function endDrag(target: Element, init: MouseEventInit): boolean {
  if (!drag) return false;
  const { source, data, over, isWelcome } = drag;
  drag = undefined;
  if (isWelcome && over === target) {
    tell(target, "drop", data, init);
    noteDrop();
  } else if (over) {
    data.dropEffect = "none";
    tell(over, "dragleave", data, init);
  }
  tell(source, "dragend", data, init);
  // Those inside would have been told of it.
  if (target instanceof HTMLIFrameElement) {
    throw new Refused(
      "debugger_refused",
      "The debugger can't attach to this tab, and without it nothing can be dragged into a frame. Use another tab.",
    );
  }
  return true;
}

/** Whether the page let it pass. */
function tell(target: Element, type: string, dataTransfer: DataTransfer, init: MouseEventInit) {
  const cancelable = type !== "dragleave" && type !== "dragend";
  return send(target, new DragEvent(type, { ...init, cancelable, dataTransfer }));
}
