// `pageText`: the words that the main part of a page shows, line by line. For
// whoever wants neither structure nor refs.
import { page } from "./clobbered";
import { shownLines } from "./query-text";
import { inSlices, type Sliced } from "./sliced";

/** No reader takes more. */
const MOST_LETTERS = 4_000_000;

export function pageText(): Promise<string> {
  return inSlices(words);
}

/** A page that is still empty has nothing to ask. */
function* words(): Sliced<string> {
  const { root } = page;
  return root ? yield* shownLines(root, MOST_LETTERS) : "";
}
