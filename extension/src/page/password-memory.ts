// Remembers which fields of a document have been password fields. Pages turn
// them into ordinary ones to show what was typed, or put an ordinary one in
// their place. The memory lies on a global of the isolated world: a tiny script
// fills it from the beginning of a document on, the page script reads it later.

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
/** More additions at once than this, and looking at all of the root is cheaper. */
const MANY_ADDITIONS = 32;

const world = globalThis as unknown as Record<string, PasswordMemory | undefined>;
world[MEMORY] ??= {
  fields: new WeakSet(),
  names: new Set(),
  positions: new WeakMap(),
  roots: new WeakSet(),
};
const memory: PasswordMemory = world[MEMORY];

/** Watches a document or a shadow root from now on; once is enough. */
export function watchPasswordFields(root: Document | ShadowRoot): void {
  if (memory.roots.has(root)) return;
  memory.roots.add(root);
  notePasswordsIn(root);
  new MutationObserver((changes) => noteChanges(changes, root)).observe(root, {
    subtree: true,
    childList: true,
    attributeFilter: ["type"],
    attributeOldValue: true,
  });
}

export function notePasswordField(field: HTMLInputElement): void {
  memory.fields.add(field);
  for (const name of [field.name, field.id]) if (name) memory.names.add(name);
  if (!field.form) return;
  const positions = memory.positions.get(field.form) ?? new Set();
  memory.positions.set(field.form, positions.add(positionOf(field, field.form)));
}

/** It was one itself, or it stands where one stood. */
export function wasPasswordField(field: HTMLInputElement): boolean {
  if (memory.fields.has(field)) return true;
  if (memory.names.has(field.name) || memory.names.has(field.id)) return true;
  const positions = field.form && memory.positions.get(field.form);
  return positions?.has(positionOf(field, field.form as HTMLFormElement)) ?? false;
}

function noteChanges(changes: MutationRecord[], root: ParentNode): void {
  const added: Element[] = [];
  for (const { type, target, oldValue, addedNodes } of changes) {
    if (type === "attributes") {
      const isPassword = oldValue?.toLowerCase() === "password" || isPasswordField(target);
      if (isPassword && target instanceof HTMLInputElement) notePasswordField(target);
      continue;
    }
    for (const node of addedNodes) {
      if (isPasswordField(node)) notePasswordField(node);
      else if (node instanceof Element && node.firstElementChild) added.push(node);
    }
  }
  for (const place of added.length > MANY_ADDITIONS ? [root] : added) notePasswordsIn(place);
}

function notePasswordsIn(place: ParentNode): void {
  for (const field of place.querySelectorAll<HTMLInputElement>(PASSWORD)) notePasswordField(field);
}

function isPasswordField(node: Node): node is HTMLInputElement {
  return node instanceof HTMLInputElement && node.type === "password";
}

function positionOf(field: HTMLInputElement, form: HTMLFormElement): number {
  // Not the form's own method: a field of that name would stand in its place.
  const fields = Element.prototype.querySelectorAll.call(form, "input,select,textarea,button");
  return [...fields].indexOf(field);
}
