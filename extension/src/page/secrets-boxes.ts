// Secrets that are typed into several boxes: a code letter by letter, a card number
// in groups of four. No box says of itself what it is a part of.
import { isCardNumber } from "./card-number";
import { closest, parentOf, selectIn } from "./clobbered";
import { isTextField } from "./field";
import { wordsBeside } from "./secrets-labels";
import { speaksOfCard } from "./secrets-words";

/** So many boxes of one letter are a code, and so many groups in a row a card number. */
const FEWEST_BOXES = 4;
const LETTERS_IN_GROUP = 4;
/** Cards have up to nineteen digits. */
const MOST_GROUPS = 5;
/** Of a label: nobody reads more to know what to type. */
const LONGEST = 200;

/** Remembered until the script pauses, since so long nothing can change. */
const codes = new Map<Element, number>();
const cards = new Map<Element, ReadonlySet<Element>>();

export function isBoxOfSecret(field: HTMLInputElement): boolean {
  if (field.maxLength === 1) return isBoxOfCode(field);
  return field.maxLength === LETTERS_IN_GROUP && isBoxOfCard(field);
}

function isBoxOfCode(field: Element): boolean {
  const outer = holderOf(field);
  if (!outer) return false;
  const boxes = codes.get(outer) ?? selectIn(outer, "input[maxlength='1']").length;
  if (codes.size === 0) queueMicrotask(() => codes.clear());
  codes.set(outer, boxes);
  return boxes >= FEWEST_BOXES;
}

function isBoxOfCard(field: Element): boolean {
  const outer = holderOf(field);
  if (!outer) return false;
  const boxes = cards.get(outer) ?? boxesOfCards(outer);
  if (cards.size === 0) queueMicrotask(() => cards.clear());
  cards.set(outer, boxes);
  return boxes.has(field);
}

/** What is around all of them, also where each has an element of its own. */
function holderOf(field: Element): Element | null {
  const around = parentOf(field);
  return around && (parentOf(around) ?? around);
}

function boxesOfCards(outer: Element): Set<Element> {
  const boxes = new Set<Element>();
  for (const row of rowsIn(outer)) {
    for (const box of isOfCard(row) ? row : groupsOfNumbers(row)) boxes.add(box);
  }
  return boxes;
}

/** With no other field between them. */
function rowsIn(outer: Element): HTMLInputElement[][] {
  const rows: HTMLInputElement[][] = [[]];
  for (const field of selectIn(outer, "input:not([type=hidden]),select,textarea")) {
    if (isGroup(field)) rows.at(-1)?.push(field);
    else if (rows.at(-1)?.length) rows.push([]);
  }
  return rows.filter((row) => row.length >= FEWEST_BOXES);
}

function isGroup(field: Element): field is HTMLInputElement {
  if (!(field instanceof HTMLInputElement)) return false;
  return field.maxLength === LETTERS_IN_GROUP && isTextField(field);
}

function groupsOfNumbers(row: readonly HTMLInputElement[]): HTMLInputElement[] {
  const groups: HTMLInputElement[] = [];
  for (let start = 0; start < row.length; start += 1) {
    for (let size = FEWEST_BOXES; size <= MOST_GROUPS; size += 1) {
      const some = row.slice(start, start + size);
      if (isCardNumber(some.map(({ value }) => value).join(""))) groups.push(...some);
    }
  }
  return groups;
}

function isOfCard(row: readonly HTMLInputElement[]): boolean {
  const own = row.flatMap((box) => [box.name, box.id, box.autocomplete, ...wordsBeside(box)]);
  return [...own, ...wordsAround(row[0])].some(speaksOfCard);
}

/** Of the label or the group that all of them are in: a label belongs to the first one only. */
function wordsAround(box: Element | undefined): string[] {
  const label = box && closest(box, "label");
  const group = box && closest(box, "fieldset,[role=group]:not(form)");
  const legend = group && selectIn(group, "legend")[0];
  const written = [label, legend].map((element) => element?.textContent?.slice(0, LONGEST) ?? "");
  return group ? [...written, ...wordsBeside(group)] : written;
}
