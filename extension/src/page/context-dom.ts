// The elements of a page as a map, and those that can be used by a number of their
// own: `dom` of a page's context. Elements are counted in the order of the page;
// shadow roots and frames, into which no XPath leads, are left out.
import type { ContextControl, ContextDom, ContextNode } from "../protocol/generated";
import { isClobbered, isElement, page, tagOf } from "./clobbered";
import { controlKind, isEditingHost } from "./controls";
import { childrenOf } from "./flat-tree";
import { shownText } from "./query-text";
import { isSecret, unlessHeld } from "./secrets";
import { toldRole } from "./selectors";
import type { Sliced } from "./sliced";
import { clean, shortAddress, shorten } from "./text";
import { hasSize } from "./visibility";

/** A record has an end; the rest is counted. */
const MOST_NODES = 2_000;
const MOST_CONTROLS = 500;
const LONGEST_VALUE = 200;
const LONGEST_ADDRESS = 2_000;
const LONGEST_PATH = 1_000;

const SKIPPED = new Set("script style noscript template head link meta title svg".split(" "));

/** What elements are told from each other by. Never what a field holds. */
const TELLING_OF_SECRETS = new Set("id name type role".split(" "));
const TELLING = new Set(
  "id class name type href role title alt placeholder for rel target data-testid aria-label aria-labelledby aria-describedby aria-expanded aria-checked aria-selected aria-pressed aria-disabled aria-required aria-invalid aria-current aria-haspopup aria-controls".split(
    " ",
  ),
);

interface Waiting {
  element: Element;
  xpath: string;
  /** Where its id belongs. */
  siblings: string[];
  cursor: string;
}

export function* contextDom(): Sliced<ContextDom> {
  const dom: ContextDom = { rootId: "", map: {}, interactiveElements: {}, omitted: 0 };
  const { root } = page;
  if (!root) return dom;
  let nodes = 0;
  let controls = 0;
  const roots: string[] = [];
  const xpath = tagOf(root) === "body" ? "/html/body" : `/${tagOf(root)}`;
  const waiting: Waiting[] = [{ element: root, xpath, siblings: roots, cursor: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield;
    const { element } = next;
    const tag = tagOf(element);
    if (SKIPPED.has(tag)) continue;
    const style = getComputedStyle(element);
    if (style.display === "none" || style.opacity === "0") continue;
    if (nodes >= MOST_NODES || next.xpath.length > LONGEST_PATH) {
      dom.omitted += 1;
      continue;
    }
    const id = String(nodes);
    nodes += 1;
    next.siblings.push(id);
    const node: ContextNode = { tagName: tag, children: [] };
    dom.map[id] = node;
    if (controls < MOST_CONTROLS && isUsable(element, tag, style, next.cursor)) {
      node.highlightIndex = controls;
      dom.interactiveElements[String(controls)] = yield* controlOf(element, tag, next.xpath);
      controls += 1;
    }
    const { xpath, cursor } = { xpath: next.xpath, cursor: style.cursor };
    for (const child of placed(element).reverse()) {
      const at = `${xpath}/${child.step}`;
      waiting.push({ element: child.element, xpath: at, siblings: node.children, cursor });
    }
  }
  dom.rootId = roots[0] ?? "";
  return dom;
}

/** The elements in one, each with its step of an XPath. */
function placed(parent: Element): { element: Element; step: string }[] {
  const children = childrenOf(parent).filter(isElement);
  const counts = new Map<string, number>();
  const steps = children.map((element) => {
    const tag = tagOf(element);
    const place = (counts.get(tag) ?? 0) + 1;
    counts.set(tag, place);
    return { element, tag, place };
  });
  return steps.map(({ element, tag, place }) => ({
    element,
    step: counts.get(tag) === 1 ? tag : `${tag}[${place}]`,
  }));
}

function isUsable(
  element: Element,
  tag: string,
  style: CSSStyleDeclaration,
  cursorAround: string,
): boolean {
  if (isClobbered(element, tag) || style.visibility !== "visible") return false;
  const role = toldRole(element, tag);
  if (controlKind(element, tag, role, true, style.cursor, cursorAround) === "no") return false;
  return hasSize(element.getBoundingClientRect());
}

function* controlOf(element: Element, tag: string, xpath: string): Sliced<ContextControl> {
  const attributes: ContextControl["attributes"] = {};
  const told = isSecret(element) ? TELLING_OF_SECRETS : TELLING;
  for (const name of element.getAttributeNames().filter((name) => told.has(name))) {
    const value = unlessHeld(element, element.getAttribute(name) ?? "");
    attributes[name] = shorten(value, LONGEST_VALUE);
  }
  if (element instanceof HTMLAnchorElement && attributes.href !== undefined) {
    attributes.href = shortAddress(element.href, LONGEST_ADDRESS);
  }
  const isWritten = isEditingHost(element);
  const written = isWritten ? "" : yield* shownText(element, LONGEST_VALUE, false);
  const called = element.getAttribute("aria-label") ?? element.getAttribute("title") ?? "";
  const text = written || clean(unlessHeld(element, called));
  return { tag, attributes, xpath, text: shorten(text, LONGEST_VALUE) };
}
