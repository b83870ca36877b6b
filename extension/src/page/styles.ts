// Computed styles, one for each element: they are live, and having the browser
// make one costs as much as reading from it. Of a very large page only so many:
// what is kept by element, the browser goes through whenever it collects garbage,
// and the page stands still meanwhile: with 50,000 of them about twice as long as
// with none. Forgotten when nobody has looked at the page for a while.

const KEPT_MS = 30_000;
/** Nearly every page has fewer elements. */
export const MOST_STYLES = 8_000;

let styles = new WeakMap<Element, CSSStyleDeclaration>();
let kept = 0;
let forgetting: ReturnType<typeof setTimeout> | undefined;

/** Somebody looks at the page. */
export function keepStyles(): void {
  // Many may be of elements that are gone by now.
  if (kept >= MOST_STYLES) forget();
  clearTimeout(forgetting);
  forgetting = setTimeout(forget, KEPT_MS);
}

function forget(): void {
  styles = new WeakMap();
  kept = 0;
}

export function styleOf(element: Element): CSSStyleDeclaration {
  const known = styles.get(element);
  if (known) return known;
  const style = getComputedStyle(element);
  if (kept < MOST_STYLES) {
    styles.set(element, style);
    kept += 1;
  }
  return style;
}
