// What people read beside a field: its labels, or what stands in it as long as it
// is empty. Not its name, which is shorter and takes longer to make.
import { elementById } from "./clobbered";
import { indexedLabels, type LabelsOf } from "./labels";

const CALLED = ["aria-label", "placeholder", "aria-placeholder", "data-placeholder"];
const LONGEST = 200;

export function wordsBeside(field: Element): string[] {
  const said = CALLED.map((name) => field.getAttribute(name) ?? "");
  const labels = [...labelledBy(field), ...namedBy(field)].map((label) => label.textContent ?? "");
  return [...said, ...labels]
    .filter((words) => words !== "")
    .map((words) => words.slice(0, LONGEST));
}

function namedBy(field: Element): Element[] {
  const ids = field.getAttribute("aria-labelledby")?.split(/\s+/) ?? [];
  const root = ids.length > 0 ? field.getRootNode() : document;
  return ids.flatMap((id) => (id && elementById(root, id)) || []);
}

function labelledBy(field: Element): Element[] {
  if (!labels) {
    labels = indexedLabels();
    // Remembered until the script pauses, since so long nothing can change.
    queueMicrotask(() => {
      labels = undefined;
    });
  }
  return [...labels(field)];
}

let labels: LabelsOf | undefined;
