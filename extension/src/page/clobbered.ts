// A form's fields hide the form's own properties: with `<input name="localName">`
// inside, `form.localName` is that input. What may be a form is asked here, past
// its fields, so that no page can make itself unreadable that way.

const firstChild = getter<ChildNode | null>(() => Node.prototype, "firstChild");
const nextSibling = getter<ChildNode | null>(() => Node.prototype, "nextSibling");
const parentNode = getter<ParentNode | null>(() => Node.prototype, "parentNode");
const shadowRoot = getter<ShadowRoot | null>(() => Element.prototype, "shadowRoot");
const assignedSlot = getter<HTMLSlotElement | null>(() => Element.prototype, "assignedSlot");

/** What this script asks of an element by its own name. */
const ASKED =
  "getAttribute hasAttribute hasAttributes getAttributeNames localName namespaceURI tagName nodeType id className classList title hidden textContent innerText children childNodes firstChild nextSibling firstElementChild parentNode parentElement assignedSlot shadowRoot ownerDocument isConnected isContentEditable tabIndex attributes matches closest contains querySelector querySelectorAll getRootNode getBoundingClientRect getClientRects checkVisibility clientWidth clientHeight offsetWidth offsetHeight scrollWidth scrollHeight scrollIntoView getAnimations focus style labels control dir name method action elements".split(
    " ",
  );

/** Whether fields hide something that this script asks of any element. */
export function isClobbered(element: Element): element is HTMLFormElement {
  if (!(element instanceof HTMLFormElement)) return false;
  return ASKED.some((name) => Object.hasOwn(element, name));
}

export function firstChildOf(node: Node): ChildNode | null {
  return firstChild(node);
}

export function nextSiblingOf(node: Node): ChildNode | null {
  return nextSibling(node);
}

export function shadowRootOf(element: Element): ShadowRoot | null {
  return shadowRoot(element);
}

/** In the flattened tree. */
export function parentOf(element: Element): Element | null {
  const parent = assignedSlot(element) ?? parentNode(element);
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
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

/** Looked up at the first use: the bundler loads this where there is no page. */
function getter<Value>(owner: () => object, name: string): (of: Node) => Value {
  let get: ((this: Node) => Value) | undefined;
  return (of) => {
    get ??= Object.getOwnPropertyDescriptor(owner(), name)?.get as (this: Node) => Value;
    return get.call(of);
  };
}
