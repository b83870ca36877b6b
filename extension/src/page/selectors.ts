// Finds elements: by CSS, text, role, XPath or number; in the whole page or
// inside one element. What was found is described elsewhere.
import type { Selector } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { contains, isClobbered, page, shadowRootOf } from "./clobbered";
import { isEditingHost } from "./controls";
import type { LabelsOf } from "./labels";
import { livingElement } from "./numbers";
import { nameOf } from "./query-names";
import { roleOf } from "./roles";
import { isSecret } from "./secrets";
import { elementsKnownBy } from "./selectors-known";
import { refuseSpelling } from "./selectors-secrets";
import { elementsByText } from "./selectors-text";
import { finished, type Sliced } from "./sliced";
import { fold } from "./text";

/** What is left of `role=button[name=Go`, where no bracket says how far the name goes. */
const UNCLOSED_NAME = /^\[\s*name\s*[*^$~|]?=/;

/** In the order of the page, except that what is in a shadow root may come later. */
export function* findElements(
  selector: Selector,
  within: number | undefined,
  labels: LabelsOf,
): Sliced<Element[]> {
  const found = yield* matching(selector, within, labels);
  const told: Element[] = [];
  for (const element of found) {
    if (!isSecretChoice(element)) told.push(element);
    yield;
  }
  return told;
}

/** Which option is chosen of a secret list is the secret. */
function isSecretChoice(element: Element): boolean {
  if (!(element instanceof HTMLOptionElement)) return false;
  const list = element.closest("select");
  return list !== null && isSecret(list);
}

function* matching(
  selector: Selector,
  within: number | undefined,
  labels: LabelsOf,
): Sliced<Element[]> {
  const inside = within === undefined ? undefined : formOr(livingElement(within));
  if ("css" in selector) return yield* byCss(selector.css, inside);
  if ("xpath" in selector) return yield* byXPath(selector.xpath, inside);
  if ("role" in selector) return yield* byRole(selector.role, inside, labels);
  if ("node" in selector) return byNumber(selector.node, inside);
  if ("known" in selector) return yield* elementsKnownBy(selector.known, inside, labels);
  if (normalise(selector.text.text) === "") throw malformed("The text to look for is missing.");
  const root = inside ?? page.root;
  const found = root ? yield* elementsByText(root, selector.text) : [];
  return found.filter((one) => one !== inside);
}

/** No field is in a field: what is meant is what is in its form. */
function formOr(element: Element): Element {
  const isField = element.matches("input,select,textarea");
  return (isField && (element as HTMLInputElement).form) || element;
}

/** The role as the walk would tell it. */
export function toldRole(element: Element, tag: string): string {
  return roleOf(element, tag) || (isEditingHost(element) ? "textbox" : "");
}

/** The document or an element, and every shadow root in it, also in other shadow roots. */
export function rootsIn(top: ParentNode): ParentNode[] {
  return finished(findRoots(top));
}

export function* findRoots(top: ParentNode): Sliced<ParentNode[]> {
  const roots: ParentNode[] = [top];
  const own = top instanceof Element ? shadowRootOf(top) : null;
  if (own) roots.push(own);
  // Grows while it is gone through.
  for (const root of roots) {
    for (const element of selectAll(root, "*")) {
      const shadowRoot = shadowRootOf(element);
      if (shadowRoot) roots.push(shadowRoot);
      yield;
    }
  }
  return roots;
}

/** Past whatever the page put in place of the method. */
export function selectAll(root: ParentNode, selector: string): NodeListOf<Element> {
  const { prototype } =
    root instanceof Document ? Document : root instanceof Element ? Element : DocumentFragment;
  return prototype.querySelectorAll.call(root, selector);
}

export function* byCss(css: string, inside: Element | undefined): Sliced<Element[]> {
  yield* refuseSpelling(css, false);
  const roots = yield* findRoots(inside ?? document);
  try {
    return roots.flatMap((root) => [...selectAll(root, css)]);
  } catch (error) {
    throw new Refused(
      "invalid_arguments",
      "That is not a valid CSS selector. Check its brackets and quotes, or search by text.",
      { by: messageOf(error) },
    );
  }
}

function* byXPath(expression: string, inside: Element | undefined): Sliced<Element[]> {
  yield* refuseSpelling(expression, true);
  let found: XPathResult;
  try {
    const { ORDERED_NODE_SNAPSHOT_TYPE } = XPathResult;
    found = Document.prototype.evaluate.call(
      document,
      expression,
      inside ?? document,
      null,
      ORDERED_NODE_SNAPSHOT_TYPE,
      null,
    );
  } catch (error) {
    throw new Refused(
      "invalid_arguments",
      "That is not a valid XPath expression for elements. Check its brackets and quotes, or search by text.",
      { by: messageOf(error) },
    );
  }
  const elements = new Set<Element>();
  for (let index = 0; index < found.snapshotLength; index += 1) {
    const element = elementFor(found.snapshotItem(index));
    if (element && isInside(element, inside)) elements.add(element);
    yield;
  }
  return [...elements];
}

/** Text and attributes stand for the element that has them. */
function elementFor(node: Node | null): Element | null {
  if (node instanceof Element) return node;
  return node instanceof Attr ? node.ownerElement : (node?.parentElement ?? null);
}

function* byRole(
  { role, name }: { role: string; name: string },
  inside: Element | undefined,
  labels: LabelsOf,
): Sliced<Element[]> {
  if (role === "") throw malformed("The role to look for is missing.");
  if (UNCLOSED_NAME.test(name)) throw malformed("The bracket around the name is not closed.");
  const wanted = normalise(name);
  const isMatch = (element: Element) => {
    if (isClobbered(element)) return false;
    const tag = element.localName;
    if (toldRole(element, tag) !== role) return false;
    return wanted === "" || normalise(nameOf(element, tag, role, labels)).includes(wanted);
  };
  const found: Element[] = [];
  for (const root of yield* findRoots(inside ?? document)) {
    for (const element of selectAll(root, "*")) {
      if (isMatch(element)) found.push(element);
      yield;
    }
  }
  return found;
}

function byNumber(number: number, inside: Element | undefined): Element[] {
  const element = livingElement(number);
  return isInside(element, inside) ? [element] : [];
}

/** Through shadow roots; an element is not inside itself. */
function isInside(element: Element, outer: Element | undefined): boolean {
  if (!outer) return true;
  for (let node: Node = element; ; ) {
    if (node !== outer && contains(outer, node)) return true;
    const root = Node.prototype.getRootNode.call(node);
    if (!(root instanceof ShadowRoot)) return false;
    node = root.host;
    if (node === outer) return true;
  }
}

function normalise(text: string): string {
  return fold(text).trim().toLowerCase();
}

function malformed(what: string): Refused {
  return new Refused(
    "invalid_arguments",
    `${what} Write text=Sign in, text="Sign in" for the whole text, role=button, or role=button[name="Sign in"].`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
