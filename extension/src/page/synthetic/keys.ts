// Keys as synthetic events, and what a browser does with the usual ones where
// the page doesn't object. What else it would do can't be done from here, and is
// refused.
import { Refused } from "../../protocol/refused";
import { matches, page } from "../clobbered";
import { isTextField } from "../field";
import { edit } from "../insertion";
import { focusedElement } from "../visibility";
import { EVERYWHERE, heldKeys, send } from "./events";
import { moveFocusOn } from "./focusing";
import { focusedEditable, insertText } from "./text";

export interface KeyInput {
  type: string;
  key: string;
  code: string;
  windowsVirtualKeyCode?: number;
  modifiers?: number;
  text?: string;
  commands?: string[];
}

const PRESSED_BY_KEY =
  "button,summary,a[href],input:is([type=button],[type=submit],[type=reset],[type=checkbox],[type=radio],[type=image])";
/** Their arrow keys choose a value, which only the browser can do. */
const CHOOSES_BY_ARROW =
  "select,input:is([type=radio],[type=range],[type=number],[type=date],[type=time],[type=month],[type=week],[type=datetime-local],[type=color])";
const CARET: Record<string, [string, string]> = {
  ArrowLeft: ["backward", "character"],
  ArrowRight: ["forward", "character"],
  ArrowUp: ["backward", "line"],
  ArrowDown: ["forward", "line"],
  Home: ["backward", "lineboundary"],
  End: ["forward", "lineboundary"],
};
const LINE_PX = 40;
/** Pressed for what they do to others, or for the page alone. */
const WITHOUT_EFFECT = new Set("Shift Control Alt Meta CapsLock Escape".split(" "));

let spaceOn: Element | undefined;

export function pressKey(input: KeyInput): void {
  const target = focusedElement() ?? page.root ?? document;
  const init: KeyboardEventInit = {
    ...EVERYWHERE,
    ...heldKeys(input.modifiers),
    view: window,
    key: input.key,
    code: input.code,
    keyCode: input.windowsVirtualKeyCode ?? 0,
  };
  if (input.type === "keyUp") {
    const isLetGo = send(target, new KeyboardEvent("keyup", init));
    if (input.key === " " && isLetGo && spaceOn === target) click(spaceOn);
    spaceOn = undefined;
    return;
  }
  if (!send(target, new KeyboardEvent("keydown", init))) return;
  if (input.text && !init.ctrlKey && !init.metaKey) {
    const charCode = input.text.charCodeAt(0);
    const press = { ...init, keyCode: charCode, charCode };
    if (!send(target, new KeyboardEvent("keypress", press))) return;
  }
  doDefault(target, input, init);
}

function doDefault(target: EventTarget, input: KeyInput, init: KeyboardEventInit): void {
  const element = target instanceof Element ? target : null;
  const { key, text, commands = [] } = input;
  if (commands.length > 0) {
    for (const command of commands) edit(command);
    return;
  }
  if (WITHOUT_EFFECT.has(key)) return;
  if (init.ctrlKey || init.metaKey || init.altKey) throw onlyTheBrowser();
  if (key === "Tab") moveFocusOn(init.shiftKey === true);
  else if (key === "Enter") pressEnter(element);
  else if (key === " " && element && matches(element, PRESSED_BY_KEY)) spaceOn = element;
  else if (key === "Backspace" || key === "Delete") {
    focusedEditable();
    edit(key === "Delete" ? "forwardDelete" : "delete");
  } else if (text) {
    if (isEditable(element)) insertText(text);
  } else if (!moveCaretOrScroll(element, key, init.shiftKey === true)) throw onlyTheBrowser();
}

/** Whether the key is one that does so. */
function moveCaretOrScroll(element: Element | null, key: string, extend: boolean): boolean {
  const caret = CARET[key];
  if (caret && element && matches(element, CHOOSES_BY_ARROW)) return false;
  if (caret && isEditable(element)) {
    getSelection()?.modify(extend ? "extend" : "move", ...caret);
    return true;
  }
  return scroll(key);
}

function pressEnter(element: Element | null): void {
  if (element && matches(element, PRESSED_BY_KEY)) click(element);
  else if (element instanceof HTMLInputElement) {
    if (isTextField(element)) send(element, new Event("change", { bubbles: true }));
    if (element.form) submit(element.form);
  } else if (isEditable(element)) {
    edit(element instanceof HTMLTextAreaElement ? "insertLineBreak" : "insertParagraph");
  }
}

/** Through the button that Enter stands for, where the form has one. */
function submit(form: HTMLFormElement): void {
  const owned = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, "elements")?.get;
  const elements = [...((owned?.call(form) ?? []) as HTMLFormControlsCollection)];
  const button = elements.find((one) =>
    matches(one, "button:not([type=button],[type=reset]),input:is([type=submit],[type=image])"),
  );
  if (button) {
    if (!matches(button, ":disabled")) click(button);
    return;
  }
  HTMLFormElement.prototype.requestSubmit.call(form);
}

function click(element: Element): void {
  send(element, new PointerEvent("click", { ...EVERYWHERE, view: window, detail: 0 }));
}

function scroll(key: string): boolean {
  const scrolled = document.scrollingElement;
  const screen = innerHeight * 0.9;
  const by: Record<string, [number, number]> = {
    ArrowLeft: [-LINE_PX, 0],
    ArrowRight: [LINE_PX, 0],
    ArrowUp: [0, -LINE_PX],
    ArrowDown: [0, LINE_PX],
    PageUp: [0, -screen],
    PageDown: [0, screen],
    Home: [0, -(scrolled?.scrollHeight ?? 0)],
    End: [0, scrolled?.scrollHeight ?? 0],
  };
  const distance = by[key];
  if (!distance) return false;
  const [left, top] = distance;
  scrolled?.scrollBy({ left, top, behavior: "instant" });
  return true;
}

function isEditable(element: Element | null): boolean {
  if (!element) return false;
  return isTextField(element) || (element instanceof HTMLElement && element.isContentEditable);
}

function onlyTheBrowser(): Refused {
  return new Refused(
    "debugger_refused",
    "The page was told of the key, but what the browser itself does with it can't be done in this tab: the debugger can't attach to it. Click what does the same.",
  );
}
