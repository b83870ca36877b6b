// A short CSS selector that finds one element, and only it, in its document or
// shadow root. It is made of what the page's author wrote to be found by, and
// of the element's place only where there is nothing else.
import { isClobbered } from "./clobbered";
import { childrenOf } from "./flat-tree";
import { selectAll } from "./selectors";

/** What testers and forms go by, the steadiest first. */
const TELLING = "data-testid data-test data-test-id data-cy data-qa name aria-label".split(" ");
const LONGEST_VALUE = 60;
/** Asking whether a selector is unique costs a look at the page. */
const MOST_TRIES = 4;

/** Numbers and hashes that frameworks make up change with every build or load. */
const MADE_UP = /\d{3,}|[0-9a-f]{8}|^(radix|headlessui|react|ember|mui|ext-gen|yui|ui-id)\b|[:«»]/i;

export function hintFor(element: Element): string {
  const root = Node.prototype.getRootNode.call(element) as ParentNode;
  return named(element, root) ?? placed(element, root);
}

function named(element: Element, root: ParentNode): string | undefined {
  const id = attribute(element, "id");
  const tag = CSS.escape(tagOf(element));
  const candidates = id && !MADE_UP.test(id) ? [`#${CSS.escape(id)}`] : [];
  for (const name of TELLING) {
    const value = attribute(element, name);
    if (!value || value.length > LONGEST_VALUE || /[\n\r\f]/.test(value)) continue;
    candidates.push(`${tag}[${name}="${value.replace(/["\\]/g, "\\$&")}"]`);
  }
  return candidates.find((selector) => isUnique(selector, element, root));
}

/** The way to it from the nearest ancestor that has a name of its own. */
function placed(element: Element, root: ParentNode): string {
  let path = step(element);
  if (isUnique(path, element, root)) return path;
  let tries = MOST_TRIES;
  for (let outer = parentOf(element); outer instanceof Element; outer = parentOf(outer)) {
    const anchor = named(outer, root);
    path = `${anchor ?? step(outer)} > ${path}`;
    tries -= 1;
    if (anchor || (tries > 0 && isUnique(path, element, root))) break;
  }
  return isUnique(path, element, root) ? path : countedPath(element);
}

/** Right whatever the tags are called, and as long as the element is deep. */
function countedPath(element: Element): string {
  const steps: string[] = [];
  for (let one: Node | null = element; one instanceof Element; one = parentOf(one)) {
    steps.unshift(`:nth-child(${placeAmong(one, siblingsOf(one))})`);
  }
  const isInShadow = Node.prototype.getRootNode.call(element) instanceof ShadowRoot;
  return [isInShadow ? ":host" : ":root", ...(isInShadow ? steps : steps.slice(1))].join(" > ");
}

function step(element: Element): string {
  const tag = tagOf(element);
  const alike = siblingsOf(element).filter((other) => tagOf(other) === tag);
  const escaped = CSS.escape(tag);
  return alike.length > 1 ? `${escaped}:nth-of-type(${placeAmong(element, alike)})` : escaped;
}

function placeAmong(element: Element, siblings: readonly Element[]): number {
  return siblings.indexOf(element) + 1;
}

function siblingsOf(element: Element): Element[] {
  const parent = parentOf(element);
  return parent ? childrenOf(parent).filter((node) => node instanceof Element) : [element];
}

function isUnique(selector: string, element: Element, root: ParentNode): boolean {
  try {
    const found = selectAll(root, selector);
    return found.length === 1 && found[0] === element;
  } catch {
    return false;
  }
}

/** In its own tree, where a shadow root is the top. */
function parentOf(element: Element): Node | null {
  const getter = Object.getOwnPropertyDescriptor(Node.prototype, "parentNode")?.get;
  return getter?.call(element) ?? null;
}

function tagOf(element: Element): string {
  return isClobbered(element) ? "form" : element.localName;
}

function attribute(element: Element, name: string): string | null {
  return Element.prototype.getAttribute.call(element, name);
}
