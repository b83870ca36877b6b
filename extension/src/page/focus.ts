// `focusForText`: makes a field ready for typing. Emptying means selecting all,
// so that the text typed next, or a Delete, replaces what is there in one step
// that the page sees as the user's.
import type { ElementArgs } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { page } from "./clobbered";
import { editableOf, isTextField, type TextField } from "./field";
import { insertInto, isAsTyped } from "./insertion";
import { prepareAtOnce, prepareElement, type Ready, usableElement } from "./prepare";
import { isInSecret } from "./secrets";
import { surroundingsOf } from "./spared";
import { noteText } from "./typed";
import { focusedElement } from "./visibility";

export interface TextArgs extends ElementArgs {
  /** To be typed at once, where that takes no real input. */
  text?: string;
  /** The page need not have its turn now. */
  atOnce?: boolean;
}

export interface ReadyForText extends Ready {
  /** The text that came along is in, or the page objects to it. */
  typed?: true;
}

export async function focusForText(args: TextArgs): Promise<ReadyForText> {
  const field = editableOf(usableElement(args));
  if ("readOnly" in field && field.readOnly) {
    throw new Refused("disabled", "The field is read-only.");
  }
  const prepared = await (args.atOnce ? prepareAtOnce(field, "focus") : prepareElement(field));
  // Noted before the page can turn it into an ordinary field.
  const wasSecret = isInSecret(field);
  const surroundings = surroundingsOf(field, args.walk);
  field.focus({ preventScroll: true });
  noteText(field, wasSecret, surroundings);
  if (focusedElement() !== field && !field.matches(":focus-within")) {
    throw new Refused("not_editable", "The field does not take the focus. Click it instead.");
  }
  if (isTextField(field)) selectInField(field, args.clear);
  else selectInHost(field, args.clear);
  const { text } = args;
  if (text === undefined || !isTextField(field)) return prepared;
  const whole = args.clear ? text : field.value + text;
  const typed = isAsTyped(field, whole) && insertInto(field, text);
  return { ...prepared, ...(typed && { typed }) };
}

function selectInField(field: TextField, all: boolean): void {
  if (all) {
    field.select();
    return;
  }
  try {
    field.setSelectionRange(field.value.length, field.value.length);
  } catch {
    // Numbers and e-mail addresses have no selection to set; the caret still moves.
    getSelection()?.modify("move", "forward", "documentboundary");
  }
}

function selectInHost(host: HTMLElement, all: boolean): void {
  const range = page.rangeOf(host);
  if (!all) range.collapse(false);
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}
