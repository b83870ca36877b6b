// What is another in a page's context than it was told last, and whether that is
// worth telling.

/** A record takes a million bytes, and a letter may be three. */
const MOST_LETTERS = 300_000;

export type Context = { [name: string]: unknown };

/** As a JSON merge patch (RFC 7396): what is gone is null, lists are told whole. */
export function changesOf(before: Context, after: Context): Context {
  const changes: Context = {};
  for (const name of Object.keys(before)) {
    if (!(name in after)) changes[name] = null;
  }
  for (const [name, value] of Object.entries(after)) {
    const known = before[name];
    if (isObject(known) && isObject(value)) {
      const inside = changesOf(known, value);
      if (Object.keys(inside).length > 0) changes[name] = inside;
    } else if (!isSame(known, value)) {
      changes[name] = value;
    }
  }
  return changes;
}

/**
 * Scrolling, another size of the window, boxes that come and go around what is
 * there, and clocks that tick are not.
 */
export function isMeaningful(before: Context, after: Context): boolean {
  return !isSame(essence(before), essence(after));
}

/** Of a context that would be too large for a record, the map goes first. */
export function fitting(context: Context): Context {
  const isLarge = (of: Context) => JSON.stringify(of).length > MOST_LETTERS;
  if (!isLarge(context)) return context;
  const { dom, ...rest } = context;
  const kept = isObject(dom) ? { ...dom, map: {} } : dom;
  return isLarge({ ...rest, dom: kept }) ? rest : { ...rest, dom: kept };
}

function essence({ viewport: _, dom, content, ...rest }: Context): unknown {
  const controls = isObject(dom) ? dom.interactiveElements : undefined;
  if (!isObject(content)) return { rest, controls };
  const { mainText, ...said } = content;
  return { rest, controls, said, mainText: String(mainText).replace(/\d+/g, "0") };
}

function isObject(value: unknown): value is Context {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Both come from the same code, so that their parts stand in the same order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
