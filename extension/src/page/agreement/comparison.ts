// For the test of agreement: which controls count, and which of them are told as
// Chromium has them. Nothing is left out because a name is missing: where both
// say nothing they agree, and where only one does they don't.
import type { Spoken } from "./spoken-tree";
import type { ToldControl } from "./tagged-controls";

/**
 * No controls to Chromium, whatever the page does with them. ARIA prohibits names
 * of the first group (1.2, section 5.2.8.6, and 1.3 of those in the second); those
 * in the third are no ARIA roles at all: text, and what HTML-AAM gives no role
 * or `generic` to, under the words that Chromium has for them inside.
 */
const NAMELESS = new Set(
  [
    "caption code deletion emphasis generic insertion none paragraph presentation strong subscript superscript",
    "definition mark suggestion term time",
    "StaticText InlineTextBox LineBreak ListMarker LabelText Legend LayoutTable LayoutTableRow LayoutTableCell",
  ].flatMap((group) => group.split(" ")),
);

/**
 * What a person operates, by ARIA's widget roles and by Chromium's own words for
 * the same. Not its composite ones: a list or a menu is operated by what is in
 * it, and counts where it can be focused itself.
 */
const WIDGETS = new Set(
  [
    "button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem",
    "ColorWell Date DateTime DisclosureTriangle InputTime",
  ].flatMap((group) => group.split(" ")),
);

/** ARIA's roles that are named from their content. */
const NAMED_BY_CONTENT = new Set(
  "button cell checkbox columnheader DisclosureTriangle gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader sectionhead switch tab tooltip treeitem".split(
    " ",
  ),
);

export interface Verdicts {
  agreed: number;
  /** Of those, without a name on either side. */
  nameless: number;
  /** One line each. */
  disagreed: string[];
  /** Visible to a person and a control to Chromium, but not told. */
  untold: string[];
  /** Told, but nothing to Chromium: the page keeps them from screen readers (`aria-hidden`). */
  unspoken: number;
  /** Told, but no control to Chromium: clickable parts without a role. */
  clickable: number;
  /** Of both, what is told as neither what a person reads there nor what it says of itself. */
  unreadable: string[];
}

/** `isSeen`: whether a person can see an element. */
export async function compare(
  told: readonly ToldControl[],
  spoken: readonly Spoken[],
  isSeen: (spoken: Spoken) => Promise<boolean>,
): Promise<Verdicts> {
  const verdicts: Verdicts = {
    agreed: 0,
    nameless: 0,
    disagreed: [],
    untold: [],
    unspoken: 0,
    clickable: 0,
    unreadable: [],
  };
  const byNumber = new Map(spoken.map((one) => [one.told, one]));
  for (const control of told) judge(control, byNumber.get(control.number), verdicts);
  const numbers = new Map(told.map((control) => [control.number, control]));
  const hosts = new Map(spoken.map((one) => [one.element, one]));
  for (const one of spoken) {
    if (one.told !== undefined || !isControl(one) || isPartOfTold(one, numbers, hosts)) continue;
    if (await isSeen(one)) verdicts.untold.push(`<${one.tag}> ${one.role} "${one.name}"`);
  }
  return verdicts;
}

function judge(told: ToldControl, spoken: Spoken | undefined, verdicts: Verdicts): void {
  if (!spoken || spoken.isIgnored || NAMELESS.has(spoken.role)) {
    verdicts[!spoken || spoken.isIgnored ? "unspoken" : "clickable"] += 1;
    if (!isMadeOf(told.name, told.readable)) {
      verdicts.unreadable.push(
        `<${told.tag}> ${told.role} "${told.name}", of ${JSON.stringify(told.readable.slice(0, 3))}`,
      );
    }
    return;
  }
  const name = told.name || (NAMED_BY_CONTENT.has(spoken.role) ? told.content : "");
  if (folded(name) === folded(spoken.name)) {
    verdicts.agreed += 1;
    if (folded(name) === "") verdicts.nameless += 1;
  } else
    verdicts.disagreed.push(
      `<${told.tag}> ${told.role} "${name}", to Chromium ${spoken.role} "${spoken.name}"`,
    );
}

/** What only a script can focus is no control: nobody gets there. */
function isControl({ role, isIgnored, isFocusable, tabindex }: Spoken): boolean {
  if (isIgnored || role === "RootWebArea") return false;
  return WIDGETS.has(role) || (isFocusable && !(tabindex !== undefined && tabindex < 0));
}

/** Of a control that is told as one: a day of a date, an option of a list. */
function isPartOfTold(
  spoken: Spoken,
  told: ReadonlyMap<number, ToldControl>,
  byElement: ReadonlyMap<number, Spoken>,
): boolean {
  if (spoken.host !== undefined) return byElement.get(spoken.host)?.told !== undefined;
  const around = spoken.toldAround === undefined ? undefined : told.get(spoken.toldAround);
  if (spoken.tag !== "option" || around?.tag !== "select") return false;
  return around.options.some((option) => folded(option) === folded(spoken.name));
}

/** Nothing is left of a text without the words of others. */
function isMadeOf(text: string, others: readonly string[]): boolean {
  const longestFirst = others.map(folded).toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((left, words) => left.replaceAll(words, " "), folded(text));
  return rest.trim() === "";
}

/** Letters of icon fonts are no words. */
function folded(name: string): string {
  return name
    .replace(/[\uE000-\uF8FF]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}
