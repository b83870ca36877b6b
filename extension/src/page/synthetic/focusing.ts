// Where the focus goes. In a tab that isn't in front Chrome moves it without an
// event, which the page is then told of here.
import { page, selectIn } from "../clobbered";
import { isDisabled } from "../states";
import { focusedElement, isVisible } from "../visibility";
import { send } from "./events";

const TAB_STOPS =
  "a[href],area[href],button,input,select,textarea,summary,[tabindex],[contenteditable]";

/** Nowhere, where there is none to take it. */
export function moveFocusTo(element: HTMLElement | null): void {
  const before = focusedElement();
  if (before === element) return;
  if (element) element.focus({ preventScroll: true });
  else if (before instanceof HTMLElement && before !== page.root) before.blur();
  if (document.hasFocus()) return;
  const after = focusedElement();
  if (after === before) return;
  if (before && before !== page.root) announce(before, ["blur", "focusout"], after);
  if (after && after !== page.root) announce(after, ["focus", "focusin"], before);
}

/** As the Tab key does. */
export function moveFocusOn(backwards: boolean): void {
  const stops = [...selectIn<HTMLElement>(document, TAB_STOPS)].filter(
    (one) => one.tabIndex >= 0 && !isDisabled(one) && isVisible(one),
  );
  // Positive numbers come first, in their order; the sort keeps the rest as it is.
  stops.sort((one, other) => (one.tabIndex || Infinity) - (other.tabIndex || Infinity));
  const at = stops.indexOf(focusedElement() as HTMLElement);
  const next = backwards ? (at < 0 ? stops.length : at) - 1 : at + 1;
  moveFocusTo(stops[next] ?? null);
}

function announce(at: Element, [quiet, loud]: [string, string], other: Element | null): void {
  send(at, new FocusEvent(quiet, { relatedTarget: other, composed: true }));
  send(at, new FocusEvent(loud, { relatedTarget: other, composed: true, bubbles: true }));
}
