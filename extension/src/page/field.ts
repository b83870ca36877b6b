// Which element takes the text that is typed at another one.
import { Refused } from "../protocol/refused";

export type TextField = HTMLInputElement | HTMLTextAreaElement;

const TEXT_TYPES = new Set("text search email url tel password number".split(" "));

/** The field itself, or the one that a label or a wrapper stands for. */
export function editableOf(element: Element): TextField | HTMLElement {
  if (isTextField(element)) return element;
  if (element instanceof HTMLElement && element.isContentEditable) return element;
  if (element instanceof HTMLLabelElement && element.control) return editableOf(element.control);
  const inner = [...element.querySelectorAll("input,textarea,[contenteditable]")];
  const fields = inner.filter(
    (one): one is HTMLElement =>
      isTextField(one) || (one instanceof HTMLElement && one.isContentEditable),
  );
  const [only] = fields;
  if (only && fields.length === 1 && !element.matches("input,select,button,a[href]")) return only;
  throw new Refused(
    "not_editable",
    "The element takes no text. Choose a text field, or use browser_fill_form, which knows other fields.",
  );
}

export function isTextField(element: Element): element is TextField {
  if (element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && TEXT_TYPES.has(element.type);
}
