// `locate`: what is at a point of the viewport, described as `query` would.
import type { PointArgs, Queried } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { elementAt } from "./hit";
import { labelsOf } from "./labels";
import { Description } from "./query-description";
import { QuerySight } from "./query-sight";
import { inSlices, type Sliced } from "./sliced";

export function locate({ point }: PointArgs): Promise<Queried> {
  return inSlices(() => located(point));
}

function* located([x, y]: PointArgs["point"]): Sliced<Queried> {
  const element = elementAt(x, y);
  if (!element) {
    throw new Refused(
      "not_found",
      `That point is outside of the viewport, which is ${innerWidth} by ${innerHeight} pixels. Scroll first, or use a ref.`,
    );
  }
  if (isFrame(element)) {
    throw new Refused(
      "not_allowed",
      "At that point is a frame with a page of its own. Use the ref of what is in it.",
    );
  }
  const asked = { textLetters: 0, styles: [] };
  const description = new Description(asked, new QuerySight(), labelsOf);
  const match = yield* description.of(element);
  return { origin: location.origin, total: 1, matches: [match] };
}

/** An `<object>` may hold a page or a picture. */
function isFrame(element: Element): boolean {
  return "contentWindow" in element && element.contentWindow !== null;
}
