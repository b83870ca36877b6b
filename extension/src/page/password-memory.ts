// Remembers which fields of a document have been password fields. Pages turn
// them into ordinary ones to show what was typed, or put an ordinary one in
// their place. The memory lies on a global of the isolated world: a tiny script
// fills it from the beginning of a document on, the page script reads it later.
import { listen, page, selectIn } from "./clobbered";

interface PasswordMemory {
  fields: WeakSet<Element>;
  /** Names and ids. */
  names: Set<string>;
  /** Positions among the fields of a form. */
  positions: WeakMap<HTMLFormElement, Set<number>>;
  /** Documents and shadow roots that are watched. */
  roots: WeakSet<Node>;
}

const MEMORY = "__outriggerPasswords1";
const PASSWORD = "input[type=password i]";
/** More at once than this, and looking at all of the root is cheaper. */
const MANY = 32;
const TYPES = { subtree: true, attributeFilter: ["type"], attributeOldValue: true };

const world = globalThis as unknown as Record<string, PasswordMemory | undefined>;
world[MEMORY] ??= {
  fields: new WeakSet(),
  names: new Set(),
  positions: new WeakMap(),
  roots: new WeakSet(),
};
const memory: PasswordMemory = world[MEMORY];

const knownPositions = new Map<HTMLFormElement, Map<Element, number>>();

/** Watches a document or a shadow root from now on; once is enough. */
export function watchPasswordFields(root: Document | ShadowRoot): void {
  if (memory.roots.has(root)) return;
  memory.roots.add(root);
  const observer = new MutationObserver((changes) => noteChanges(changes, root));
  observer.observe(root, TYPES);
  // What is typed in or filled in tells itself, in whatever shadow root.
  for (const type of ["focusin", "input"]) listen(root, type, noteTarget, { capture: true });
  const watchAdditions = () => {
    notePasswordsIn(root);
    observer.observe(root, { ...TYPES, childList: true });
  };
  // While it is parsed, a record for every node would slow a large page down.
  if (page.readyState !== "loading") watchAdditions();
  else listen(document, "DOMContentLoaded", watchAdditions, { once: true });
}

export function notePasswordField(field: HTMLInputElement): void {
  memory.fields.add(field);
  for (const name of [field.name, field.id]) if (name) memory.names.add(name);
  if (!field.form) return;
  const positions = memory.positions.get(field.form) ?? new Set();
  const position = positionsIn(field.form).get(field);
  if (position !== undefined) memory.positions.set(field.form, positions.add(position));
}

/** It was one itself, or is called what one is. */
export function wasPasswordField(field: HTMLInputElement): boolean {
  return memory.fields.has(field) || memory.names.has(field.name) || memory.names.has(field.id);
}

/** It stands where one stood. */
export function standsForPasswordField(field: HTMLInputElement): boolean {
  const { form } = field;
  const positions = form && memory.positions.get(form);
  return positions?.has(positionsIn(form as HTMLFormElement).get(field) ?? -1) ?? false;
}

function noteTarget(event: Event): void {
  const [target] = event.composedPath();
  if (target instanceof Node && isPasswordField(target)) notePasswordField(target);
}

function noteChanges(changes: MutationRecord[], root: Node): void {
  const added: Element[] = [];
  let isMuch = changes.length > MANY;
  for (const change of changes) {
    if (change.type === "attributes") noteType(change);
    else if (!isMuch) {
      added.push(...elementsIn(change.addedNodes));
      isMuch = added.length > MANY;
    }
  }
  for (const place of isMuch ? [root] : added) notePasswordsIn(place);
}

function noteType({ target, oldValue }: MutationRecord): void {
  if (!(target instanceof HTMLInputElement)) return;
  if (oldValue?.toLowerCase() === "password" || isPasswordField(target)) notePasswordField(target);
}

function elementsIn(nodes: NodeList): Element[] {
  return [...nodes].filter((node) => node instanceof Element);
}

function notePasswordsIn(place: Node): void {
  if (place instanceof Element && isPasswordField(place)) notePasswordField(place);
  for (const field of selectIn<HTMLInputElement>(place, PASSWORD)) notePasswordField(field);
}

function isPasswordField(node: Node): node is HTMLInputElement {
  return node instanceof HTMLInputElement && node.type === "password";
}

/**
 * Of all fields at once, since a form may have thousands and each is asked
 * about; remembered until the script pauses, since so long nothing can change.
 */
function positionsIn(form: HTMLFormElement): Map<Element, number> {
  if (knownPositions.size === 0) queueMicrotask(() => knownPositions.clear());
  const known = knownPositions.get(form);
  if (known) return known;
  const positions = new Map(fieldsOf(form).map((field, position) => [field, position]));
  knownPositions.set(form, positions);
  return positions;
}

function fieldsOf(form: HTMLFormElement): Element[] {
  return [...selectIn(form, "input,select,textarea,button")];
}
