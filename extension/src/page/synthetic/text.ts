// Text into whatever has the focus, in place of what is selected there. The
// editor's own command does it as typing would, undo and all; where a field
// doesn't take part in it, its value is set and the page told.
import { Refused } from "../../protocol/refused";
import { isTextField, type TextField } from "../field";
import { insertInto } from "../insertion";
import { focusedElement } from "../visibility";
import { EVERYWHERE, send } from "./events";

export function insertText(text: string): void {
  const field = focusedEditable();
  if (insertInto(field, text)) return;
  if (!isTextField(field)) throw notEditable();
  setValue(field, text);
  const init = { ...EVERYWHERE, inputType: "insertText", data: text, cancelable: false };
  send(field, new InputEvent("input", init));
}

export function focusedEditable(): HTMLElement {
  const focused = focusedElement();
  if (focused && isTextField(focused)) return focused;
  if (focused instanceof HTMLElement && focused.isContentEditable) return focused;
  throw notEditable();
}

function setValue(field: TextField, text: string): void {
  const owner = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  // Past the setters that frameworks put on the field itself.
  const set = Object.getOwnPropertyDescriptor(owner.prototype, "value")?.set;
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? field.value.length;
  set?.call(field, field.value.slice(0, start) + text + field.value.slice(end));
}

function notEditable(): Refused {
  return new Refused("not_editable", "What has the focus takes no text. Choose a text field.");
}
