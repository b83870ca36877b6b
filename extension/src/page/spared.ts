// Whether typing changed anything but the field that was typed into, compared
// with how the page was last told. Where it didn't, whoever typed needs a look at
// the field alone. What a style sheet changes is noticed if it shows or hides
// words or controls, or calls a field invalid; fading is told with the next look.
import { page, selectIn } from "./clobbered";
import { isTextField } from "./field";
import { focusedElement } from "./visibility";
import { hasShadowRoots } from "./walked";
import { changeCount, watchDom } from "./watch";

const CONTROLS = "input,select,textarea,button,a,summary,[role],[tabindex]";
/** Beyond so much, comparing would be no less work than looking. */
const MOST_CONTROLS = 300;
const MOST_LETTERS = 50_000;

/** The page as it was when all of it was last told, by one walk or by several. */
interface Told {
  first: number;
  last: number;
  address: string;
  changes: number;
}

export interface Surroundings {
  field: Element;
  words: string;
  controls: string[];
}

let walks = 0;
let told: Told | undefined;

/** All of the page is told now; the number that this has. */
export function noteTold(): number {
  watchDom();
  walks += 1;
  const isSame = told !== undefined && isAsTold(told.last);
  const first = isSame && told ? told.first : walks;
  told = { first, last: walks, address: location.href, changes: changeCount() };
  return walks;
}

/**
 * To be called before the field gets the focus, which may show something already.
 * Undefined where the page is not as that walk told it, or can't all be seen.
 */
export function surroundingsOf(field: Element, walk: number | undefined): Surroundings | undefined {
  if (walk === undefined || !isAsTold(walk)) return undefined;
  if (!isTextField(field) || field.getRootNode() !== document) return undefined;
  if (globalThis.length > 0 || hasShadowRoots()) return undefined;
  return around(field);
}

/** Whether nothing changed since but the field, which has the focus. */
export function isFieldAlone({ field, words, controls }: Surroundings): boolean {
  if (!told || !isAsTold(told.last) || focusedElement() !== field) return false;
  const now = around(field);
  return (
    now !== undefined &&
    now.words === words &&
    now.controls.length === controls.length &&
    now.controls.every((one, index) => one === controls[index])
  );
}

function isAsTold(walk: number): boolean {
  if (!told || walk < told.first || walk > told.last) return false;
  return told.address === location.href && told.changes === changeCount();
}

function around(field: Element): Surroundings | undefined {
  const { root } = page;
  const controls = selectIn(document, CONTROLS);
  if (!(root instanceof HTMLElement) || controls.length > MOST_CONTROLS) return undefined;
  // biome-ignore lint/performance/useDomNodeTextContent: what nobody sees does not count.
  const words = root.innerText;
  if (words.length > MOST_LETTERS) return undefined;
  return { field, words, controls: [...controls].filter((one) => one !== field).map(standing) };
}

/** What an agent would be told of a control, as far as no change of the DOM shows it. */
function standing(control: Element): string {
  const isSeen = control.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  if (control instanceof HTMLSelectElement) {
    return `${isSeen} ${[...control.selectedOptions].map(({ index }) => index).join()}`;
  }
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) {
    return String(isSeen);
  }
  const isOn = control instanceof HTMLInputElement && [control.checked, control.indeterminate];
  return `${isSeen} ${isOn} ${control.matches(":user-invalid")} ${control.value}`;
}
