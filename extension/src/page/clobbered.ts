// A form's fields hide the form's own properties: with `<input name="localName">`
// inside, `form.localName` is that input; and `<img name="body">` hides the
// document's body. What may be a form, and the document itself, are asked here,
// past such names, so that no page can make itself unreadable that way.

const firstChild = getter<ChildNode | null>(() => Node.prototype, "firstChild");
const nextSibling = getter<ChildNode | null>(() => Node.prototype, "nextSibling");
const nodeType = getter<number>(() => Node.prototype, "nodeType");
const localName = getter<string>(() => Element.prototype, "localName");
const parentNode = getter<ParentNode | null>(() => Node.prototype, "parentNode");
const connected = getter<boolean>(() => Node.prototype, "isConnected");
const firstElementChild = getter<Element | null>(() => Element.prototype, "firstElementChild");
const textContent = getter<string | null>(() => Node.prototype, "textContent");
const scrollLeft = getter<number>(() => Element.prototype, "scrollLeft");
const scrollTop = getter<number>(() => Element.prototype, "scrollTop");
const offsetParent = getter<Element | null>(() => HTMLElement.prototype, "offsetParent");
const shadowRoot = getter<ShadowRoot | null>(() => Element.prototype, "shadowRoot");
const body = getter<HTMLElement | null>(() => Document.prototype, "body");
const documentElement = getter<Element | null>(() => Document.prototype, "documentElement");
const activeElement = getter<Element | null>(() => Document.prototype, "activeElement");
const readyState = getter<DocumentReadyState>(() => Document.prototype, "readyState");
const title = getter<string>(() => Document.prototype, "title");
const contentType = getter<string>(() => Document.prototype, "contentType");
const styleSheets = getter<StyleSheetList>(() => Document.prototype, "styleSheets");
const assignedSlot = getter<HTMLSlotElement | null>(() => Element.prototype, "assignedSlot");

/** Elements that take a shadow root, beside those that a page defines itself. */
const HOSTS = new Set(
  "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(
    " ",
  ),
);

/** What this script asks of an element by its own name. */
const ASKED =
  "getAttribute hasAttribute hasAttributes getAttributeNames localName namespaceURI tagName nodeType id className classList title hidden textContent innerText children childNodes firstChild nextSibling firstElementChild parentNode parentElement assignedSlot shadowRoot ownerDocument isConnected isContentEditable tabIndex attributes matches closest contains querySelector querySelectorAll getRootNode getBoundingClientRect getClientRects checkVisibility clientWidth clientHeight offsetWidth offsetHeight scrollWidth scrollHeight scrollLeft scrollTop scrollIntoView getAnimations focus style labels control dir name method action elements".split(
    " ",
  );

/** Whether fields hide something that this script asks of any element. */
export function isClobbered(element: Element, tag = tagOf(element)): element is HTMLFormElement {
  if (tag !== "form") return false;
  return ASKED.some((name) => Object.hasOwn(element, name));
}

export function firstChildOf(node: Node): ChildNode | null {
  return firstChild(node);
}

export function nextSiblingOf(node: Node): ChildNode | null {
  return nextSibling(node);
}

/** Has text in it, or nothing. */
export function hasNoElements(element: Element): boolean {
  return firstElementChild(element) === null;
}

/** By number: on the walk's way, `instanceof` would be asked of every node several times. */
export function typeOf(node: Node): number {
  return nodeType(node);
}

export function isElement(node: Node): node is Element {
  return nodeType(node) === Node.ELEMENT_NODE;
}

export function tagOf(element: Element): string {
  return localName(element);
}

export function textOf(element: Element): string {
  return textContent(element) ?? "";
}

export function boundsOf(element: Element): DOMRect {
  return Element.prototype.getBoundingClientRect.call(element);
}

export function offsetParentOf(element: HTMLElement): Element | null {
  return offsetParent(element);
}

export function scrollOf(element: Element): { left: number; top: number } {
  return { left: scrollLeft(element), top: scrollTop(element) };
}

/** The document's parts by their own names. */
export const page = {
  /** Where the page's content is; null in an empty document. */
  get root(): Element | null {
    return body(document) ?? documentElement(document);
  },
  get documentElement(): Element | null {
    return documentElement(document);
  },
  get activeElement(): Element | null {
    return activeElement(document);
  },
  get title(): string {
    return title(document);
  },
  get contentType(): string {
    return contentType(document);
  },
  get styleSheets(): StyleSheetList {
    return styleSheets(document);
  },
  elementAt(x: number, y: number): Element | null {
    return Document.prototype.elementFromPoint.call(document, x, y);
  },
  get readyState(): DocumentReadyState {
    return readyState(document);
  },
  animations(): Animation[] {
    return Document.prototype.getAnimations.call(document);
  },
  get hasCanvas(): boolean {
    return Document.prototype.getElementsByTagName.call(document, "canvas").length > 0;
  },
  rangeOf(node: Node): Range {
    const range = Document.prototype.createRange.call(document);
    range.selectNodeContents(node);
    return range;
  },
  nodesIn(node: Node): TreeWalker {
    const shown = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
    return Document.prototype.createTreeWalker.call(document, node, shown);
  },
  textsIn(node: Node): TreeWalker {
    return Document.prototype.createTreeWalker.call(document, node, NodeFilter.SHOW_TEXT);
  },
};

/**
 * Closed ones too, where the browser shows them to extensions. Asking for those
 * costs more and throws for elements that can't have one.
 */
export function shadowRootOf(element: Element, tag = tagOf(element)): ShadowRoot | null {
  if (!mayHaveShadowRoot(tag)) return null;
  const open = shadowRoot(element);
  const ask = closedRoots();
  if (open || !ask || rootless.has(element) || !(element instanceof HTMLElement)) return open;
  const closed = ask(element) as ShadowRoot | null;
  if (!closed && firstChild(element) && !tag.includes("-")) rootless.add(element);
  return closed;
}

/** What has content of its own rarely becomes a host after all, and nothing tells if it does. */
let rootless = new WeakSet<Element>();
let rootlessSince = 0;
/** An agent's next look comes later, looks in between need not ask again. */
const ROOTLESS_MS = 3_000;

/** A walk begins: what had no closed root some time ago may have one now. */
export function askForClosedRoots(): void {
  const now = performance.now();
  if (now - rootlessSince < ROOTLESS_MS) return;
  rootless = new WeakSet();
  rootlessSince = now;
}

/** Something is pressed, which may make a host of anything: the next walk asks again. */
export function forgetRootless(): void {
  rootlessSince = Number.NEGATIVE_INFINITY;
}

type Ask = typeof chrome.dom.openOrClosedShadowRoot | undefined;
let known: { chrome: unknown; ask: Ask } | undefined;

/** Looked up once: finding it costs as much as asking. */
function closedRoots(): Ask {
  const { chrome } = globalThis as { chrome?: Partial<typeof globalThis.chrome> };
  if (known?.chrome !== chrome) known = { chrome, ask: chrome?.dom?.openOrClosedShadowRoot };
  return known?.ask;
}

function mayHaveShadowRoot(tag: string): boolean {
  return HOSTS.has(tag) || tag.includes("-");
}

/** In its own tree, where a shadow root is the top. */
export function parentNodeOf(node: Node): ParentNode | null {
  return parentNode(node);
}

export function isConnected(node: Node): boolean {
  return connected(node);
}

/** In the flattened tree. */
export function parentOf(element: Element): Element | null {
  const parent = assignedSlot(element) ?? parentNode(element);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
}

/** All of a document, a shadow root or an element that match. */
export function selectIn<Found extends Element = Element>(
  tree: Node,
  selector: string,
): NodeListOf<Found> {
  const { querySelectorAll } = tree instanceof Document ? Document.prototype : fragmentOr(tree);
  return querySelectorAll.call(tree, selector) as NodeListOf<Found>;
}

export function elementById(root: Node, id: string): Element | null {
  if (root instanceof Document) return Document.prototype.getElementById.call(root, id);
  return root instanceof DocumentFragment ? root.getElementById(id) : null;
}

export function listen(
  target: EventTarget,
  type: string,
  listener: (event: Event) => void,
  options: AddEventListenerOptions,
): () => void {
  EventTarget.prototype.addEventListener.call(target, type, listener, options);
  return () => EventTarget.prototype.removeEventListener.call(target, type, listener, options);
}

export function matches(element: Element, selector: string): boolean {
  return Element.prototype.matches.call(element, selector);
}

export function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

export function contains(outer: Node, inner: Node): boolean {
  return Node.prototype.contains.call(outer, inner);
}

function fragmentOr(tree: Node): ParentNode {
  return tree instanceof DocumentFragment ? DocumentFragment.prototype : Element.prototype;
}

/** Looked up at the first use: the bundler loads this where there is no page. */
function getter<Value>(owner: () => object, name: string): (of: Node) => Value {
  let get: ((this: Node) => Value) | undefined;
  return (of) => {
    get ??= Object.getOwnPropertyDescriptor(owner(), name)?.get as (this: Node) => Value;
    return get.call(of);
  };
}
