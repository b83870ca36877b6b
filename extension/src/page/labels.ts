// Which labels a control has. The browser's own `labels` goes through the whole
// page for every control; a walk asks for all of them, and one index serves it.
import { closest, selectIn } from "./clobbered";

/** In document order. */
export type LabelsOf = (control: Element) => readonly HTMLLabelElement[];

/** For one question; a walk has an index. */
export function labelsOf(control: Element): readonly HTMLLabelElement[] {
  return [...((control as HTMLInputElement).labels ?? [])];
}

export function indexedLabels(): LabelsOf {
  const trees = new Map<Node, ReadonlyMap<string, readonly HTMLLabelElement[]>>();
  return (control) => {
    const root = control.getRootNode();
    const known = trees.get(root) ?? labelsById(root);
    trees.set(root, known);
    const around = closest(control, "label") as HTMLLabelElement | null;
    const labels = known.get(control.id)?.filter((label) => label !== around) ?? [];
    const its = (around ? [...labels, around] : labels).filter(
      (label) => label.control === control,
    );
    return its.length > 1 ? its.toSorted(inDocumentOrder) : its;
  };
}

/** Those that say in an attribute what they label. */
function labelsById(root: Node): Map<string, HTMLLabelElement[]> {
  const labels = new Map<string, HTMLLabelElement[]>();
  for (const label of selectIn<HTMLLabelElement>(root, "label[for]")) {
    const known = labels.get(label.htmlFor);
    if (known) known.push(label);
    else labels.set(label.htmlFor, [label]);
  }
  return labels;
}

function inDocumentOrder(one: Node, other: Node): number {
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
