// The words that a person reads on a control, told beside its name where that
// leaves them out, and in its place where it has none.
import { isText, type Lines } from "./lines";
import { hasWords, type Naming, shownName } from "./naming";
import { LONGEST_NAME, shorten } from "./text";

/** Of words that a name leaves out; what is more stands behind the control. */
export const LONGEST_SHOWN = 200;

export function says(name: string, words: string): boolean {
  return name.toLowerCase().includes(words.toLowerCase());
}

/** A name that leaves out what can be read is told with it; what has none, by what it shows. */
export function addShown(node: Lines["nodes"][number], name: string, naming: Naming): void {
  const shown = shownName(naming);
  if (isText(node) || (name && !hasWords(naming)) || says(name, shown)) return;
  node[4] ??= 0;
  node[5] ??= 0;
  node[6] ??= [0, 0, 0, 0];
  node[7] = { ...node[7], shows: shorten(shown, LONGEST_NAME) };
}
