// `submitForm`: how the form of a field is sent: by its own button, as a person
// would, or with Enter where it has none.
import type { ElementArgs } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { nameOfOption } from "./choices";
import { closest, matches, selectIn } from "./clobbered";
import { fieldOf } from "./field-kind";
import { prepareElement, type Ready, usableElement } from "./prepare";
import { isVisible } from "./visibility";

export type SubmitStep = ({ do: "press" } & Ready) | { do: "enter" };

const BUTTONS = "button,input[type=submit],input[type=image]";

export async function submitForm(args: ElementArgs): Promise<SubmitStep> {
  const { element } = fieldOf(usableElement(args));
  const button = submitButtonOf(element);
  refuseInvalid(element, button);
  if (button) return { do: "press", ...(await prepareElement(button, "press")) };
  if (!("value" in element) && !element.isContentEditable) {
    throw new Refused(
      "not_found",
      "The form has no button that submits it. Click what sends it instead.",
    );
  }
  element.focus({ preventScroll: true });
  return { do: "enter" };
}

/** The browser would not send it, and show a bubble that no page tells of. */
function refuseInvalid(field: HTMLElement, button: HTMLElement | undefined): void {
  const form = formOf(field);
  if (!form || matches(form, "[novalidate]") || (button && matches(button, "[formnovalidate]"))) {
    return;
  }
  const fields = [...selectIn<HTMLInputElement>(field.getRootNode(), ":invalid")];
  const invalid = fields.filter((one) => one.form === form && one.validationMessage);
  if (invalid.length === 0) return;
  const reasons = invalid.map((one) => `${nameOfOption(one)}: ${one.validationMessage}`);
  throw new Refused(
    "not_editable",
    "The fields are filled, but the form was not submitted: it does not accept what is in those below. Fill them with what it accepts.",
    { by: reasons.join("\n") },
  );
}

/** Of its own, or of the page's making. */
export function formOf(field: HTMLElement): Element | null {
  return ("form" in field && (field.form as Element | null)) || closest(field, "form");
}

/** Whether the browser sends its form when it is pressed. */
export function submits(button: Element): boolean {
  return (
    matches(button, BUTTONS) &&
    "type" in button &&
    (button.type === "submit" || button.type === "image")
  );
}

export function submitButtonOf(field: HTMLElement): HTMLElement | undefined {
  const form = formOf(field);
  if (!form) return undefined;
  const root = field.getRootNode();
  const inside = [...selectIn<HTMLElement>(form, BUTTONS)];
  const outside = [...selectIn<HTMLElement>(root, BUTTONS)].filter(
    (button) => "form" in button && button.form === form && !inside.includes(button),
  );
  return [...inside, ...outside].find((button) => submits(button) && isVisible(button));
}
