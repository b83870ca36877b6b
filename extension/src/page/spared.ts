// Whether typing changed anything but the field that was typed into. Where it
// didn't, whoever typed needs a look at the field alone, not at all of the page.
// What a style sheet alone changes is noticed if it shows or hides words, or
// calls a field invalid.
import { page, selectIn } from "./clobbered";
import { isTextField } from "./field";
import { focusedElement } from "./visibility";
import { hasShadowRoots } from "./walked";
import { changeCount } from "./watch";

const FIELDS = "input,select,textarea";
/** Beyond so many fields or letters, comparing would be no less work than looking. */
const MOST_FIELDS = 300;
const MOST_LETTERS = 50_000;

interface Surroundings {
  field: Element;
  changes: number;
  words: string;
  others: string[];
}

let before: Surroundings | undefined;

/** To be called before the field gets the focus, which may show something already. */
export function noteSurroundings(field: Element): void {
  before = around(field);
}

/** The field that was made ready, if nothing else changed since; told once. */
export function fieldAlone(): Element | undefined {
  const noted = before;
  before = undefined;
  if (!noted || focusedElement() !== noted.field) return undefined;
  const now = around(noted.field);
  const isSame =
    now !== undefined &&
    now.changes === noted.changes &&
    now.words === noted.words &&
    now.others.length === noted.others.length &&
    now.others.every((one, index) => one === noted.others[index]);
  return isSame ? noted.field : undefined;
}

/** Undefined where it can't all be seen from here. */
function around(field: Element): Surroundings | undefined {
  const { root } = page;
  if (!isTextField(field) || !(root instanceof HTMLElement)) return undefined;
  if (globalThis.length > 0 || hasShadowRoots() || field.getRootNode() !== document) {
    return undefined;
  }
  const fields = selectIn<HTMLInputElement>(document, FIELDS);
  if (fields.length > MOST_FIELDS) return undefined;
  // biome-ignore lint/performance/useDomNodeTextContent: what nobody sees does not count.
  const words = root.innerText;
  if (words.length > MOST_LETTERS) return undefined;
  const others = [...fields].filter((one) => one !== field).map(stateOf);
  return { field, changes: changeCount(), words, others };
}

function stateOf(field: HTMLInputElement): string {
  const { value, checked, indeterminate } = field;
  return `${checked} ${indeterminate} ${field.matches(":user-invalid")} ${value}`;
}
