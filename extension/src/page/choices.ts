// Options by the names that people read: of a `<select>`, and of lists that a
// page made itself.
import { Refused } from "../protocol/refused";
import { alternativeOf } from "./alternatives";
import { elementById, selectIn } from "./clobbered";
import { labelsOf } from "./labels";
import { ariaName } from "./names";
import { clean } from "./text";
import { isVisible } from "./visibility";

const OPTIONS = "[role=option],[role=treeitem],[role=menuitemradio],[role=menuitemcheckbox]";
/** So many are named when the wanted one isn't among them. */
const MOST_NAMED = 40;

export function nameOfOption(option: Element): string {
  if (option instanceof HTMLOptionElement) return clean(option.label);
  const labels = labelsOf(option).map((label) => alternativeOf(label, option));
  return ariaName(option) || clean(labels.join(" ")) || alternativeOf(option);
}

function valueOfOption(option: Element): string | null {
  if (option instanceof HTMLOptionElement || option instanceof HTMLInputElement) {
    return option.value;
  }
  return option.getAttribute("data-value");
}

/** By name, else by value, else by name in other letters. */
export function findOption<Option extends Element>(
  options: readonly Option[],
  wanted: string,
): Option | undefined {
  const name = clean(wanted);
  const folded = name.toLowerCase();
  return (
    options.find((option) => nameOfOption(option) === name) ??
    options.find((option) => valueOfOption(option) === wanted) ??
    options.find((option) => nameOfOption(option).toLowerCase() === folded)
  );
}

export function noSuchOption(options: readonly Element[]): Refused {
  const names = options.slice(0, MOST_NAMED).map(nameOfOption);
  const left = options.length - MOST_NAMED;
  const more = left > 0 ? `\n… and ${left} more` : "";
  return new Refused("not_found", "There is no such option. Those that there are stand below.", {
    by: names.join("\n") + more,
  });
}

/** The options of a list, or of the lists that a button or a field opened. */
export function optionsOf(owner: HTMLElement): HTMLElement[] {
  const lists = [owner, ...listsOf(owner)];
  const options = lists.flatMap((list) => [...selectIn<HTMLElement>(list, OPTIONS)]);
  const found = options.length > 0 ? options : looseOptions(owner);
  return [...new Set(found)].filter(isVisible);
}

function listsOf(owner: HTMLElement): Element[] {
  const ids = ["aria-controls", "aria-owns"].flatMap(
    (name) => owner.getAttribute(name)?.split(/\s+/) ?? [],
  );
  const root = owner.getRootNode();
  return ids.map((id) => elementById(root, id)).filter((list) => list !== null);
}

/** A list that nothing leads to counts only as long as it is the only one. */
function looseOptions(owner: HTMLElement): HTMLElement[] {
  const lists = [...selectIn(owner.getRootNode(), "[role=listbox]")].filter(isVisible);
  const [only] = lists;
  return only && lists.length === 1 ? [...selectIn<HTMLElement>(only, OPTIONS)] : [];
}

export function isChosen(option: Element): boolean {
  if (option instanceof HTMLOptionElement) return option.selected;
  if (option instanceof HTMLInputElement) return option.checked;
  return ["aria-selected", "aria-checked"].some((name) => option.getAttribute(name) === "true");
}
