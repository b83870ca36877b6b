// Computed styles, one for each element: they are live, and having the browser
// make one costs as much as reading from it. Forgotten when nobody has looked at
// the page for a while, since of a large page they are many.

const KEPT_MS = 30_000;

let styles = new WeakMap<Element, CSSStyleDeclaration>();
let forgetting: ReturnType<typeof setTimeout> | undefined;

/** Somebody looks at the page. */
export function keepStyles(): void {
  clearTimeout(forgetting);
  forgetting = setTimeout(() => {
    styles = new WeakMap();
  }, KEPT_MS);
}

export function styleOf(element: Element): CSSStyleDeclaration {
  const known = styles.get(element);
  if (known) return known;
  const style = getComputedStyle(element);
  styles.set(element, style);
  return style;
}
