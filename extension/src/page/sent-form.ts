// What a form asks for that a button sends, where that says what comes of it though
// the button's own words don't: a card is charged, a password becomes another.
import type { SentForm } from "../protocol/generated";
import { closest, selectIn } from "./clobbered";
import { formOf, submits } from "./fill-submit";
import { wordsOfName } from "./secrets";
import { isVisible } from "./visibility";

const CARD = /\b((card|cc|credit card) ?(number|num|no)|cc (number|csc|exp)|cvc|cvv|csc)\b/;
const ACCOUNT = /\b(user ?name|e ?mail|login)\b/;
/** The old one, the new one, and that again. */
const PASSWORDS_OF_A_CHANGE = 3;

/** Dialogs, which are answered. */
export const AROUND = "dialog,[role=dialog],[role=alertdialog],[aria-modal=true]";

export function sentBy(button: Element): SentForm | undefined {
  const answers = closest(button, AROUND) ? "other" : undefined;
  if (!(button instanceof HTMLElement) || !submits(button)) return answers;
  const form = formOf(button);
  if (!form) return answers;
  const fields = [...selectIn<HTMLInputElement>(form, "input")].filter(isVisible);
  if (fields.some((field) => isCalled(field, CARD))) return "card";
  if (changesPassword(fields)) return "newPassword";
  const searches =
    closest(form, "[role=search],search") || selectIn(form, "[type=search]").length > 0;
  return searches ? answers : "other";
}

/** Whoever signs up gives a name with the password, and has none that could be lost. */
function changesPassword(fields: HTMLInputElement[]): boolean {
  const passwords = fields.filter((field) => field.type === "password");
  if (passwords.length >= PASSWORDS_OF_A_CHANGE) return true;
  const isNew = passwords.some((field) => /\bnew-password\b/.test(field.autocomplete));
  if (passwords.length < 2 && !isNew) return false;
  return !fields.some((field) => field.type === "email" || isCalled(field, ACCOUNT));
}

function isCalled(field: HTMLInputElement, words: RegExp): boolean {
  const names = [field.getAttribute("autocomplete"), field.getAttribute("name"), field.id];
  return names.some((name) => name && words.test(wordsOfName(name)));
}
