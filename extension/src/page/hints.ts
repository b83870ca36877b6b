// A short CSS selector that finds one element, and only it, in its document or
// shadow root. It is made of what the page's author wrote to be found by, and
// of the element's place only where there is nothing else. No selector is tried
// out on the page: that it finds one element only follows from its parts.
import { matches, parentNodeOf } from "./clobbered";
import { attributeOf, HintIndex, tagOf, type Ways } from "./hint-index";
import { unlessHeld } from "./secrets";
import type { Sliced } from "./sliced";

/** What testers and forms go by, the steadiest first. */
const TELLING = "data-testid data-test data-test-id data-cy data-qa name aria-label".split(" ");
const LONGEST_VALUE = 60;
/** Steps that may be enough by themselves; beyond them, a way begins at a name. */
const MOST_STEPS = 3;

/** Numbers and hashes that frameworks make up change with every build or load. */
const MADE_UP = /\d{3,}|[0-9a-f]{8}|^(radix|headlessui|react|ember|mui|ext-gen|yui|ui-id)\b|[:«»]/i;

/** For as long as the page stays as it is. */
export class Hints {
  readonly #indexes = new Map<Node, HintIndex>();

  *for(element: Element): Sliced<string> {
    const root = Node.prototype.getRootNode.call(element);
    const index = this.#indexes.get(root) ?? new HintIndex(root);
    this.#indexes.set(root, index);
    const hint = (yield* named(element, index)) ?? (yield* placed(element, index));
    // Tags that a script made up may be written in ways that no selector has.
    return hint !== undefined && finds(hint, element) ? hint : yield* countedPath(element, index);
  }
}

function* named(element: Element, index: HintIndex): Sliced<string | undefined> {
  const id = attributeOf(element, "id");
  const isTold = id && !MADE_UP.test(id) && unlessHeld(element, id) !== "";
  if (isTold && (yield* index.isOnlyOne(element, "id", id))) return `#${CSS.escape(id)}`;
  for (const name of TELLING) {
    const value = attributeOf(element, name);
    if (!value || value.length > LONGEST_VALUE || /[\n\r\f]/.test(value)) continue;
    if (unlessHeld(element, value) === "") continue;
    if (!(yield* index.isOnlyOne(element, name, value))) continue;
    return `${CSS.escape(tagOf(element))}[${name}="${value.replace(/["\\]/g, "\\$&")}"]`;
  }
  return undefined;
}

/**
 * The way to it from the nearest ancestor that has a name of its own, or from
 * where its last steps are like no other's.
 */
function* placed(element: Element, index: HintIndex): Sliced<string | undefined> {
  let path = yield* step(element, index);
  let ways = yield* index.waysTo(element);
  if (ways?.isOnlyOne) return path;
  let steps = 1;
  for (let outer = parentNodeOf(element); outer instanceof Element; outer = parentNodeOf(outer)) {
    yield;
    const anchor = (yield* named(outer, index)) ?? (yield* onlyOfItsKind(outer, index));
    if (anchor) return `${anchor} > ${path}`;
    path = `${yield* step(outer, index)} > ${path}`;
    steps += 1;
    ways = steps <= MOST_STEPS ? yield* waysThrough(ways, outer) : undefined;
    if (ways?.isOnlyOne) return path;
  }
  return undefined;
}

function* onlyOfItsKind(element: Element, index: HintIndex): Sliced<string | undefined> {
  const ways = yield* index.waysTo(element);
  return ways?.isOnlyOne ? yield* step(element, index) : undefined;
}

function* waysThrough(ways: Ways | undefined, outer: Element): Sliced<Ways | undefined> {
  return ways && (yield* ways.through(outer));
}

/** Finds one of a parent's children. */
function* step(element: Element, index: HintIndex): Sliced<string> {
  const { alike, ofType, ofAll } = yield* index.placeOf(element);
  const tag = CSS.escape(tagOf(element));
  if (alike.count <= 1) return tag;
  return alike.others ? `${tag}:nth-child(${ofAll})` : `${tag}:nth-of-type(${ofType})`;
}

/** Right whatever the tags are called, and as long as the element is deep. */
function* countedPath(element: Element, index: HintIndex): Sliced<string> {
  const steps: string[] = [];
  for (let one: Node | null = element; one instanceof Element; one = parentNodeOf(one)) {
    const { ofAll } = yield* index.placeOf(one);
    steps.push(`:nth-child(${ofAll})`);
    yield;
  }
  const isInShadow = Node.prototype.getRootNode.call(element) instanceof ShadowRoot;
  if (!isInShadow) steps.pop();
  return [isInShadow ? ":host" : ":root", ...steps.reverse()].join(" > ");
}

function finds(selector: string, element: Element): boolean {
  try {
    return matches(element, selector);
  } catch {
    return false;
  }
}
