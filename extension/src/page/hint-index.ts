// What hints need to know of one document or shadow root, gathered once and for
// all elements: which of them have a name of their own, the place of each among
// its siblings, and which ways to an element no other one has. Each question
// would else be a search through the page.
import { isClobbered, parentNodeOf, selectIn } from "./clobbered";
import { childrenOf } from "./flat-tree";
import type { Sliced } from "./sliced";

/** Those of a parent's children that one tag in a selector finds. */
interface Alike {
  count: number;
  /** What the browser counts apart: a link in a drawing is not an HTML link. */
  type: string;
  ofType: number;
  others: Map<string, number> | undefined;
}

/** Where an element is among its siblings, counted from one. */
export interface Place {
  ofType: number;
  ofAll: number;
  alike: Alike;
}

/** Selectors don't mind the case of a tag everywhere, so it never counts here. */
const sortOf = (element: Element) => tagOf(element).toLowerCase();

export class HintIndex {
  readonly #root: Node;
  /** For each attribute, the only element of a tag and value; null if there are several. */
  readonly #named = new Map<string, Map<string, Element | null>>();
  readonly #places = new Map<Element, Place>();
  #steps: Ways | undefined;

  constructor(root: Node) {
    this.#root = root;
  }

  /** Whether no other element of the same tag has this value; of an id, none at all. */
  *isOnlyOne(element: Element, attribute: string, value: string): Sliced<boolean> {
    const named = this.#named.get(attribute) ?? (yield* this.#elementsNamed(attribute));
    return named.get(nameKey(element, attribute, value)) === element;
  }

  *#elementsNamed(attribute: string): Sliced<Map<string, Element | null>> {
    const named = new Map<string, Element | null>();
    for (const element of selectIn(this.#root, `[${attribute}]`)) {
      const key = nameKey(element, attribute, attributeOf(element, attribute) ?? "");
      named.set(key, named.has(key) ? null : element);
      yield;
    }
    this.#named.set(attribute, named);
    return named;
  }

  /** All places are found at once: siblings share the counting. */
  *placeOf(element: Element): Sliced<Place> {
    if (this.#places.size === 0) {
      this.#count(this.#root);
      for (const parent of selectIn(this.#root, "*")) {
        this.#count(parent);
        yield;
      }
    }
    const known = this.#places.get(element);
    if (known) return known;
    // The page put it there a moment ago.
    const parent = parentNodeOf(element);
    if (parent) this.#count(parent);
    return this.#places.get(element) ?? { ofType: 1, ofAll: 1, alike: noneOf(typeOf(element)) };
  }

  #count(parent: Node): void {
    const sorts = new Map<string, Alike>();
    let ofAll = 0;
    for (const child of childrenOf(parent)) {
      if (!(child instanceof Element)) continue;
      ofAll += 1;
      const sort = sortOf(child);
      const type = typeOf(child);
      const alike = sorts.get(sort) ?? noneOf(type);
      sorts.set(sort, alike);
      this.#places.set(child, { ofType: oneMore(alike, type), ofAll, alike });
    }
  }

  /** The ways to all elements that end with the last steps to this one. */
  *waysTo(element: Element): Sliced<Ways | undefined> {
    this.#steps ??= new Ways([...selectIn(this.#root, "*")], (one) => this.placeOf(one));
    return yield* this.#steps.through(element);
  }
}

/**
 * Elements that are found by the same last steps, held by where those steps
 * begin. Sorted by the step before only when somebody asks.
 */
export class Ways {
  readonly #beginnings: readonly (Node | null)[];
  readonly #placeOf: (element: Element) => Sliced<Place>;
  #before: Map<string, Element[]> | undefined;
  readonly #known = new Map<string, Ways>();

  constructor(beginnings: readonly (Node | null)[], placeOf: (element: Element) => Sliced<Place>) {
    this.#beginnings = beginnings;
    this.#placeOf = placeOf;
  }

  get isOnlyOne(): boolean {
    return this.#beginnings.length === 1;
  }

  /** Those that the step to `element` begins; undefined if none can be told by it. */
  *through(element: Element): Sliced<Ways | undefined> {
    const place = yield* this.#placeOf(element);
    const sort = sortOf(element);
    if (place.alike.others) return undefined;
    const step = place.alike.count > 1 ? numbered(sort, place) : sort;
    const known = this.#known.get(step);
    if (known) return known;
    this.#before ??= yield* this.#sorted();
    const ways = new Ways((this.#before.get(step) ?? []).map(parentNodeOf), this.#placeOf);
    this.#known.set(step, ways);
    return ways;
  }

  /** A tag alone finds those with a number too. */
  *#sorted(): Sliced<Map<string, Element[]>> {
    const sorted = new Map<string, Element[]>();
    for (const element of this.#beginnings) {
      yield;
      if (!(element instanceof Element)) continue;
      const sort = sortOf(element);
      for (const step of [sort, numbered(sort, yield* this.#placeOf(element))]) {
        const group = sorted.get(step);
        if (group) group.push(element);
        else sorted.set(step, [element]);
      }
    }
    return sorted;
  }
}

export function tagOf(element: Element): string {
  return isClobbered(element) ? "form" : element.localName;
}

export function attributeOf(element: Element, name: string): string | null {
  return Element.prototype.getAttribute.call(element, name);
}

function noneOf(type: string): Alike {
  return { count: 0, type, ofType: 0, others: undefined };
}

function oneMore(alike: Alike, type: string): number {
  alike.count += 1;
  if (type === alike.type) {
    alike.ofType += 1;
    return alike.ofType;
  }
  alike.others ??= new Map();
  const ofType = (alike.others.get(type) ?? 0) + 1;
  alike.others.set(type, ofType);
  return ofType;
}

function numbered(sort: string, { ofType }: Place): string {
  return `${sort}:${ofType}`;
}

function typeOf(element: Element): string {
  if (element instanceof HTMLElement) return tagOf(element);
  return `${element.namespaceURI} ${element.localName}`;
}

/** An old page's ids are found without regard to case. */
function nameKey(element: Element, attribute: string, value: string): string {
  if (attribute === "id") return value.toLowerCase();
  return `${sortOf(element)} ${value}`;
}
