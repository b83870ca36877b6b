// The options of a `<select>`, as child nodes. They exist whether the list is
// open or not, and can't be clicked, so they have no number.
import type { State } from "../protocol/generated";
import type { Lines } from "./lines";
import { isSecret } from "./secrets";
import { clean } from "./text";

const MOST_OPTIONS = 50;

export function addOptions(lines: Lines, select: HTMLSelectElement, parent: number): void {
  const secret = isSecret(select);
  for (const option of shownOptions(select, secret)) {
    const state: State = {};
    if (option.selected && !secret) state.selected = true;
    if (option.disabled) state.disabled = true;
    lines.element(
      { tag: "option", role: "option", name: clean(option.label), flags: 0, state },
      parent,
    );
  }
}

/** The first ones, and the chosen ones wherever they are, unless that is a secret. */
function shownOptions(select: HTMLSelectElement, secret: boolean): HTMLOptionElement[] {
  const options = [...select.options].filter((option) => !option.hidden);
  return options.filter((option, index) => index < MOST_OPTIONS || (option.selected && !secret));
}
