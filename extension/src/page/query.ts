// `query`: elements that a selector finds, counted, and the first of them
// described in full. Only those are looked at closely, so that a selector for
// everything costs little more than finding it.
import type { Queried, QueryArgs } from "../protocol/generated";
import { isConnected } from "./clobbered";
import { framesInside, pathOfFrame } from "./frames";
import { indexedLabels } from "./labels";
import { Description } from "./query-description";
import { QuerySight } from "./query-sight";
import { findElements } from "./selectors";
import { toldApart } from "./selectors-known";
import { offeredIn } from "./selectors-text";
import { inSlices, type Sliced } from "./sliced";
import { shorten } from "./text";

export function query(args: QueryArgs): Promise<Queried> {
  return inSlices((roots) => queried(args, roots));
}

/** Notes in `roots` whose changes would matter. */
export function* queried(args: QueryArgs, roots: Node[] = []): Sliced<Queried> {
  const labels = indexedLabels();
  const sight = new QuerySight();
  const found = yield* findElements(args.selector, args.within, labels);
  for (const root of rootsOf(found)) roots.push(root);
  const seen = args.visibleOnly ? yield* visibleOf(found, sight) : found;
  // After that: of two that are alike, one may be hidden.
  const wanted = "known" in args.selector ? yield* toldApart(args.selector.known, seen) : seen;
  const description = new Description(args, sight, labels);
  const matches: Queried["matches"] = [];
  for (const element of wanted.slice(0, args.limit)) {
    // Taken out of the page meanwhile.
    if (isConnected(element)) {
      const described = yield* description.of(element);
      matches.push({ ...described, ...offeredBy(element, args) });
    }
    yield;
  }
  const path = pathOfFrame();
  return {
    origin: location.origin,
    ...(path && { path }),
    frames: framesInside(),
    total: wanted.length,
    matches,
  };
}

/** A list that is found by what can be chosen says that this is so. */
function offeredBy(
  element: Element,
  { selector, textLetters }: Pick<QueryArgs, "selector" | "textLetters">,
): { text?: string } {
  const isByChoice = "text" in selector && selector.text.choices;
  if (!isByChoice || !(element instanceof HTMLSelectElement)) return {};
  return { text: shorten(offeredIn(element, selector.text), textLetters) };
}

function rootsOf(elements: readonly Element[]): Set<Node> {
  return new Set(elements.map((element) => Node.prototype.getRootNode.call(element)));
}

function* visibleOf(elements: readonly Element[], sight: QuerySight): Sliced<Element[]> {
  const visible: Element[] = [];
  for (const element of elements) {
    if ((yield* sight.hiddenBy(element)) === undefined) visible.push(element);
    yield;
  }
  return visible;
}
