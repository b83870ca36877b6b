// Elements by what is known of one that was there before: its role, name, text and
// heading, which outlive the ids and classes of a page; and by what an element can
// be found again so.
import type { Described, ElementArgs, Known } from "../protocol/generated";
import { isClobbered } from "./clobbered";
import { Hints } from "./hints";
import { indexedLabels, type LabelsOf } from "./labels";
import { Headings } from "./nearest-heading";
import { usableElement } from "./prepare";
import { nameOf } from "./query-names";
import { QuerySight } from "./query-sight";
import { shownText } from "./query-text";
import { isInSecret } from "./secrets";
import { byCss, findRoots, selectAll, toldRole } from "./selectors";
import { elementsByText } from "./selectors-text";
import { inSlices, type Sliced } from "./sliced";
import { fold } from "./text";

/** What is longer is a text of the page rather than what something is called. */
const LONGEST = 200;

/** All that hold everything but the selector, which counts where it is alone. */
export function* elementsKnownBy(
  known: Known,
  inside: Element | undefined,
  labels: LabelsOf,
): Sliced<Element[]> {
  const { role, name, text, heading, selector } = known;
  const isNamed = role !== undefined || name !== undefined;
  if (!isNamed && text === undefined) {
    const all = yield* byCss(selector ?? "*", inside);
    return yield* under(heading, all);
  }
  const root = inside ?? document;
  const found = isNamed ? yield* called(known, root, labels) : yield* showing(text ?? "", root);
  return yield* under(heading, found);
}

/** Those of alike elements that the selector finds, if it finds any of them. */
export function* toldApart(known: Known, alike: Element[]): Sliced<Element[]> {
  if (known.selector === undefined || alike.length < 2) return alike;
  const found = new Set(yield* byCss(known.selector, undefined));
  const both = alike.filter((element) => found.has(element));
  return both.length > 0 ? both : alike;
}

function* called({ role, name, text }: Known, root: ParentNode, labels: LabelsOf) {
  const found: Element[] = [];
  for (const part of yield* findRoots(root)) {
    for (const element of selectAll(part, "*")) {
      yield;
      if (isClobbered(element)) continue;
      const tag = element.localName;
      const itsRole = toldRole(element, tag);
      if (role !== undefined && itsRole !== role) continue;
      if (name !== undefined && !isSame(nameOf(element, tag, itsRole, labels), name)) continue;
      if (text !== undefined && !isSame(yield* textOf(element), text)) continue;
      found.push(element);
    }
  }
  return found;
}

function* showing(text: string, root: ParentNode): Sliced<Element[]> {
  const top = root instanceof Element ? root : document.documentElement;
  return yield* elementsByText(top, { text, exact: true });
}

function* under(heading: string | undefined, elements: Element[]): Sliced<Element[]> {
  if (heading === undefined) return elements;
  const headings = new Headings();
  const found: Element[] = [];
  for (const element of elements) {
    if (isSame(yield* headings.above(element), heading)) found.push(element);
    yield;
  }
  return found;
}

/** `describe`. */
export function describe(args: ElementArgs): Promise<Described> {
  return inSlices(() => described(usableElement(args)));
}

export function* described(element: Element): Sliced<Described> {
  const labels = indexedLabels();
  const known: Known = {};
  if (!isClobbered(element)) {
    const role = toldRole(element, element.localName);
    const name = nameOf(element, element.localName, role, labels);
    if (role !== "") known.role = role;
    if (isShort(name)) known.name = name;
    // A field has none, or what is typed in it.
    const text = known.name === undefined && role !== "textbox" ? yield* textOf(element) : "";
    if (isShort(text)) known.text = text;
  }
  const heading = yield* new Headings().above(element);
  if (isShort(heading)) known.heading = heading;
  known.selector = yield* new Hints().for(element);
  const { heading: _, ...others } = known;
  const isNamed = others.name !== undefined || others.text !== undefined;
  const alike = isNamed ? yield* elementsKnownBy(others, undefined, labels) : [];
  return { known, alike: yield* seen(alike), isSecret: isInSecret(element) };
}

function* seen(elements: Element[]): Sliced<number> {
  const sight = new QuerySight();
  let count = 0;
  for (const element of elements) {
    if ((yield* sight.hiddenBy(element)) === undefined) count += 1;
    yield;
  }
  return count;
}

function textOf(element: Element): Sliced<string> {
  return shownText(element, LONGEST + 1, false);
}

function isShort(words: string): boolean {
  return words !== "" && words.length <= LONGEST;
}

function isSame(one: string, other: string): boolean {
  return fold(one).trim().toLowerCase() === fold(other).trim().toLowerCase();
}
