// Elements by the text they show. The text of the whole page is laid out as one
// string, with the stretch that each element has of it; an occurrence then
// belongs to the innermost element around it. So the cost is that of one look
// at the page, however deep it is.
import type { Selector } from "../protocol/generated";
import { closest, isClobbered } from "./clobbered";
import { drawnChildren } from "./flat-tree";
import { labelOnButton } from "./query-text";
import { isInSecret, isSecret } from "./secrets";
import { LEAVES } from "./sight";
import type { Sliced } from "./sliced";
import { clean, fold } from "./text";

type Wanted = Extract<Selector, { text: unknown }>["text"];

interface Stretch {
  element: Element;
  start: number;
  end: number;
}

/** Where an element ends. A class of its own: elements have whatever properties a page gives them. */
class End {
  constructor(
    readonly stretch: Stretch,
    readonly isApart: boolean,
  ) {}
}

interface Laid {
  text: string;
  /** An element comes before what is in it. */
  stretches: Stretch[];
}

const SILENT = new Set("script style noscript template head title datalist".split(" "));
/** Around all others a blank stands, since words don't run on there. */
const INLINE = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp slot small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/**
 * In the order of the page. Case and runs of white space don't matter. A choice
 * stands for its list, which is what can be used.
 */
export function* elementsByText(
  root: Element,
  { text, exact, choices = false }: Wanted,
): Sliced<Element[]> {
  const wanted = normalise(text);
  if (wanted === "") return [];
  if (isInSecret(root)) return [];
  const laid = yield* layOut(root, choices);
  const places = placesOf(wanted, laid.text);
  const owners = ownersOf(places, wanted.length, laid.stretches);
  const isWhole = ({ start, end }: Stretch) => laid.text.slice(start, end).trim() === wanted;
  const found = laid.stretches
    .filter((stretch) => owners.has(stretch) && (!exact || isWhole(stretch)))
    .map(({ element }) => (element instanceof HTMLOptionElement && listOf(element)) || element);
  return choices ? [...new Set(found)] : found;
}

/** What of a text can be chosen in a list, and whether it is. */
export function offeredIn(list: HTMLSelectElement, { text, exact }: Wanted): string {
  const wanted = normalise(text);
  const options = [...list.options].filter(({ label }) =>
    exact ? normalise(label) === wanted : normalise(label).includes(wanted),
  );
  const name = ({ label, selected }: HTMLOptionElement) =>
    selected ? clean(label) : `${clean(label)} (not chosen)`;
  return options.map(name).join(", ");
}

function listOf(option: HTMLOptionElement): HTMLSelectElement | null {
  return closest(option, "select") as HTMLSelectElement | null;
}

function normalise(text: string): string {
  return fold(text).trim().toLowerCase();
}

function* layOut(root: Element, choices: boolean): Sliced<Laid> {
  // Joined at the end: to look at the end of a string that grows is slow.
  const parts: string[] = [];
  let length = 0;
  let endsBlank = true;
  const stretches: Stretch[] = [];
  const add = (words: string) => {
    const folded = fold(words).toLowerCase();
    const part = endsBlank ? folded.trimStart() : folded;
    if (part === "") return;
    parts.push(part);
    length += part.length;
    endsBlank = part.endsWith(" ");
  };
  // Its own stack: scripts nest deeper than the language's stack goes.
  const waiting: (Node | End)[] = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield;
    if (next instanceof End) {
      if (next.isApart) add(" ");
      next.stretch.end = length;
    } else if (next instanceof Text) {
      add(next.data);
    } else if (next instanceof Element) {
      const tag = isClobbered(next) ? "form" : next.localName;
      if (SILENT.has(tag)) continue;
      const isApart = !INLINE.has(tag);
      if (isApart) add(" ");
      const stretch = { element: next, start: length, end: length };
      stretches.push(stretch);
      waiting.push(new End(stretch, isApart));
      if (choices && next instanceof HTMLSelectElement) {
        if (!isSecret(next)) for (const option of [...next.options].reverse()) waiting.push(option);
      } else if (choices && next instanceof HTMLOptionElement) add(next.label);
      else if (LEAVES.has(tag)) add(labelOnButton(next));
      else if (!isSecret(next))
        for (const child of drawnChildren(next, tag).reverse()) waiting.push(child);
    }
  }
  return { text: parts.join(""), stretches };
}

function placesOf(wanted: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) places.push(at);
  return places;
}

/** Those in reverse order come from inside out: who is asked first is innermost. */
function ownersOf(
  places: readonly number[],
  length: number,
  stretches: readonly Stretch[],
): Set<Stretch> {
  const owners = new Set<Stretch>();
  /** For each place, the next one that nobody owns yet; leads on where it is out of date. */
  const free = places.map((_, index) => index);
  free.push(places.length);
  const firstFree = (from: number): number => {
    let index = from;
    while (free[index] !== index) index = free[index] ?? places.length;
    free[from] = index;
    return index;
  };
  for (const stretch of stretches.toReversed()) {
    let index = firstFree(firstAtOrAfter(places, stretch.start));
    for (;;) {
      const place = places[index];
      if (place === undefined || place + length > stretch.end) break;
      owners.add(stretch);
      free[index] = index + 1;
      index = firstFree(index + 1);
    }
  }
  return owners;
}

function firstAtOrAfter(places: readonly number[], start: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
