// The options of a `<select>`, as child nodes. They exist whether the list is
// open or not, and can't be clicked, so they have no number.
import type { State } from "../protocol/generated";
import { closest } from "./clobbered";
import type { Lines } from "./lines";
import { isSecret } from "./secrets";
import { clean } from "./text";

/** No person made more, and going through them takes time. */
const MOST_OPTIONS = 2_000;

/** How many there are is told where not all of them are. */
export function addOptions(lines: Lines, select: HTMLSelectElement, parent: number): void {
  const secret = isSecret(select);
  const count = select.options.length;
  if (count > MOST_OPTIONS) lines.addState(parent, { options: count });
  for (const option of shownOptions(select, secret)) {
    const state: State = {};
    if (option.selected && !secret) state.selected = true;
    if (isDisabled(option)) state.disabled = true;
    lines.element(
      { tag: "option", role: "option", name: clean(option.label), flags: 0, state },
      parent,
    );
  }
}

/** By itself or with its group, of which the option says nothing. */
function isDisabled(option: HTMLOptionElement): boolean {
  return option.disabled || closest(option, "optgroup[disabled]") !== null;
}

/** The first ones, and the chosen ones wherever they are, unless that is a secret. */
function shownOptions(select: HTMLSelectElement, secret: boolean): HTMLOptionElement[] {
  const first: HTMLOptionElement[] = [];
  for (const option of select.options) {
    if (first.push(option) === MOST_OPTIONS) break;
  }
  const chosen = secret ? [] : select.selectedOptions;
  return [...new Set([...first, ...chosen])].filter((option) => !option.hidden);
}
