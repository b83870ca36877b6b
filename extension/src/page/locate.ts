// `locate`: what is at a point, described as `query` would; or which frame is
// there, and which of its points that is.
import type { Located, PointArgs } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { intoFrame, type Point } from "./frame-geometry";
import type { Holder } from "./frame-path";
import { frameIndexOf, holdsPage } from "./frames";
import { elementAt } from "./hit";
import { labelsOf } from "./labels";
import { Description } from "./query-description";
import { QuerySight } from "./query-sight";
import { inSlices, type Sliced } from "./sliced";

/** The worker asks on in the frame. */
export interface InFrame {
  point: Point;
  holder: Holder;
}

export function locate({ point }: PointArgs): Promise<Located | InFrame> {
  return inSlices(() => located(point));
}

function* located([x, y]: PointArgs["point"]): Sliced<Located | InFrame> {
  const element = elementAt(x, y);
  if (!element) {
    throw new Refused(
      "not_found",
      `That point is outside of the viewport, which is ${innerWidth} by ${innerHeight} pixels. Scroll first, or use a ref.`,
    );
  }
  if (holdsPage(element)) return inFrame(element as HTMLElement, { x, y });
  const asked = { textLetters: 0, styles: [] };
  const description = new Description(asked, new QuerySight(), labelsOf);
  const match = yield* description.of(element);
  return { found: { origin: location.origin, total: 1, matches: [match] }, point: [x, y] };
}

function inFrame(frame: HTMLElement, point: Point): InFrame {
  const index = frameIndexOf(frame);
  const { clientWidth: width, clientHeight: height } = frame;
  const holder = { ...(index !== undefined && { index }), width, height };
  return { point: intoFrame(frame, point), holder };
}
