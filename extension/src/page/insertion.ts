// Text into a plain field, in place of what is selected there, by the editor's own
// command: the page sees the same trusted `input` as of typing, undo and all. The
// editor doesn't ask a page about a command of a script, so that is done here.
// Editors of rich text listen to more than that.
import type { TextField } from "./field";
import { EVERYWHERE, send } from "./synthetic/events";
import { focusedElement } from "./visibility";

/**
 * Whether the page would see no difference to a person's typing. The browser
 * calls a field invalid, and finds a text too short, only where a person edited it.
 */
export function isAsTyped(field: TextField, text: string): boolean {
  if (!field.willValidate || field.hasAttribute("is")) return true;
  const probe = field.cloneNode() as TextField;
  probe.value = text;
  return probe.validity.valid && text.length >= field.minLength;
}

/** Whether it is done: the text is in, or the page objects to it. No text empties what is selected. */
export function insertInto(field: HTMLElement, text: string): boolean {
  const [command, inputType] =
    text === "" ? ["delete", "deleteContentBackward"] : ["insertText", "insertText"];
  const data = text === "" ? null : text;
  const question = new InputEvent("beforeinput", { ...EVERYWHERE, inputType, data });
  // Whoever moves the focus elsewhere objects, too: the text is not meant for that.
  if (!send(field, question) || focusedElement() !== field) return true;
  return edit(command, text);
}

/** Whether the editor did it. */
export function edit(command: string, value?: string): boolean {
  return Document.prototype.execCommand.call(document, command, false, value);
}
