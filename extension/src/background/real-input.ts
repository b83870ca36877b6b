// Input as a person makes it, for capabilities that find out only in the
// page which input is needed.
import type { StepKey } from "../page/fill-steps";
import { sendInput } from "./input";

const KEY_CODES: Record<StepKey, number> = {
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
};

/** The three events of a click, without waiting in between: that costs a fifth. */
export async function pressAt(tabId: number, x: number, y: number): Promise<void> {
  const event = (type: string, button: string, buttons: number, clickCount: number) =>
    sendInput(tabId, "Input.dispatchMouseEvent", {
      type,
      x,
      y,
      button,
      buttons,
      clickCount,
    });
  await Promise.all([
    event("mouseMoved", "none", 0, 0),
    event("mousePressed", "left", 1, 1),
    event("mouseReleased", "left", 0, 1),
  ]);
}

/** Replaces what is selected; no text at all takes a key. */
export async function insertText(tabId: number, text: string): Promise<void> {
  if (text === "") await pressKey(tabId, "Delete", 46);
  else await sendInput(tabId, "Input.insertText", { text });
}

export async function pressEnter(tabId: number): Promise<void> {
  await pressKey(tabId, "Enter", 13, "\r");
}

/** The same key again and again. */
export async function pressKeys(tabId: number, key: StepKey, times: number): Promise<void> {
  for (let left = times; left > 0; left -= 1) await pressKey(tabId, key, KEY_CODES[key]);
}

async function pressKey(
  tabId: number,
  key: string,
  windowsVirtualKeyCode: number,
  text?: string,
): Promise<void> {
  const known = { key, code: key, windowsVirtualKeyCode };
  const down = text ? { type: "keyDown", text } : { type: "rawKeyDown" };
  await Promise.all([
    sendInput(tabId, "Input.dispatchKeyEvent", { ...known, ...down }),
    sendInput(tabId, "Input.dispatchKeyEvent", { ...known, type: "keyUp" }),
  ]);
}
