// `submitForm`: how the form of a field is sent: by its own button, as a person
// would, or with Enter where it has none.
import type { ElementArgs } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { closest, selectIn } from "./clobbered";
import { fieldOf } from "./field-kind";
import { prepareElement, type Ready, usableElement } from "./prepare";
import { isVisible } from "./visibility";

export type SubmitStep = ({ do: "press" } & Ready) | { do: "enter" };

const BUTTONS = "button,input[type=submit],input[type=image]";

export async function submitForm(args: ElementArgs): Promise<SubmitStep> {
  const { element } = fieldOf(usableElement(args));
  const button = submitButtonOf(element);
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

/** In a form of its own, or of the page's making. */
function submitButtonOf(field: HTMLElement): HTMLElement | undefined {
  const form = ("form" in field && (field.form as Element | null)) || closest(field, "form");
  if (!form) return undefined;
  const root = field.getRootNode();
  const inside = [...selectIn<HTMLElement>(form, BUTTONS)];
  const outside = [...selectIn<HTMLElement>(root, BUTTONS)].filter(
    (button) => "form" in button && button.form === form && !inside.includes(button),
  );
  const submits = (button: HTMLElement) =>
    "type" in button && (button.type === "submit" || button.type === "image");
  return [...inside, ...outside].find((button) => submits(button) && isVisible(button));
}
