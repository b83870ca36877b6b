// Which labels a control has. The browser's own `labels` goes through the whole
// page for every control; a walk asks for all of them, and one index serves it.

/** In document order. */
export type LabelsOf = (control: Element) => readonly HTMLLabelElement[];

/** For one question; a walk has an index. */
export function labelsOf(control: Element): readonly HTMLLabelElement[] {
  return [...((control as HTMLInputElement).labels ?? [])];
}

export function indexedLabels(): LabelsOf {
  const trees = new Map<Node, ReadonlyMap<Element, readonly HTMLLabelElement[]>>();
  return (control) => {
    const root = control.getRootNode();
    const known = trees.get(root) ?? indexOf(root as Document | ShadowRoot);
    trees.set(root, known);
    return known.get(control) ?? [];
  };
}

function indexOf(root: ParentNode): Map<Element, HTMLLabelElement[]> {
  const index = new Map<Element, HTMLLabelElement[]>();
  for (const label of root.querySelectorAll("label")) {
    const { control } = label;
    if (!control) continue;
    const known = index.get(control);
    if (known) known.push(label);
    else index.set(control, [label]);
  }
  return index;
}
