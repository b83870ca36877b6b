// `query`: elements that a selector finds, counted, and the first of them
// described in full. Only those are looked at closely, so that a selector for
// everything costs little more than finding it.
import { Flag, type Match, type Queried, type QueryArgs, type State } from "../protocol/generated";
import { alternativeOf } from "./alternatives";
import { isClobbered, parentOf } from "./clobbered";
import { controlKind } from "./controls";
import { hintFor } from "./hints";
import { numberOf } from "./numbers";
import { attributesOf, stylesOf } from "./query-details";
import { nameOf } from "./query-names";
import { type HiddenBy, QuerySight, rectOf } from "./query-sight";
import { shownText } from "./query-text";
import { isSecret } from "./secrets";
import { findElements, selectAll, toldRole } from "./selectors";
import { stateOf } from "./states";
import { focusedElement } from "./visibility";

/** A clickable part of the page with more text than this is not called by it. */
const LONGEST_CLICKABLE = 300;
const CONTROLS = "a[href],button,input,select,textarea";

export function query(args: QueryArgs): Queried {
  const sight = new QuerySight();
  const found = findElements(args.selector, args.within);
  const wanted = args.visibleOnly
    ? found.filter((element) => sight.hiddenBy(element) === undefined)
    : found;
  const focused = focusedElement();
  const matches = wanted
    .slice(0, args.limit)
    .map((element) => describe(element, args, sight, focused));
  return { origin: location.origin, total: wanted.length, matches };
}

/** One element, as `query` tells of it. */
export function describe(
  element: Element,
  { textLetters, attributes, styles }: Pick<QueryArgs, "textLetters" | "attributes" | "styles">,
  sight: QuerySight,
  focused: Element | null,
): Match {
  const hiddenBy = sight.hiddenBy(element);
  const { x, y, width, height } = rectOf(element);
  const isShown = hiddenBy === undefined && isInView(element);
  const coveredBy = isShown ? sight.coveredBy(element) : undefined;
  const { flags, ...kind } = isClobbered(element) ? HIDDEN_FORM : kindOf(element, focused);
  return {
    id: numberOf(element),
    ...kind,
    text: shownText(element, textLetters, hiddenBy !== undefined),
    flags: flags | visibilityFlags(hiddenBy, isShown, coveredBy),
    rect: [x, y, width, height].map(Math.round) as Match["rect"],
    ...(hiddenBy && { hiddenBy }),
    ...(coveredBy !== undefined && { coveredBy }),
    hint: hintFor(element),
    ...(attributes && { attributes: attributesOf(element, attributes) }),
    ...(styles.length > 0 && { styles: stylesOf(element, styles) }),
  };
}

type Kind = Pick<Match, "tag" | "role" | "name" | "flags" | "state">;

/** A form that can't be asked about itself. */
const HIDDEN_FORM: Kind = { tag: "form", role: "", name: "", flags: 0, state: {} };

function kindOf(element: Element, focused: Element | null): Kind {
  const tag = element.localName;
  const role = toldRole(element, tag);
  const isControl = isUsable(element, tag, role);
  const secret = isSecret(element);
  const state: State = stateOf(element, tag, role, true, secret, focused);
  const name = nameOf(element, tag, role) || (isControl && role === "" ? ownWords(element) : "");
  if (state.placeholder === name) delete state.placeholder;
  const flags = (isControl ? Flag.Control : 0) | (secret ? Flag.Secret : 0);
  return { tag, role, name, flags, state };
}

function isUsable(element: Element, tag: string, role: string): boolean {
  const around = parentOf(element);
  const cursorAround = around ? getComputedStyle(around).cursor : "auto";
  const { cursor } = getComputedStyle(element);
  const kind = controlKind(element, tag, role, true, cursor, cursorAround);
  // The cursor may belong to the controls inside.
  return kind === "yes" || (kind === "hint" && selectAll(element, CONTROLS).length === 0);
}

function ownWords(element: Element): string {
  const words = alternativeOf(element);
  return words.length <= LONGEST_CLICKABLE ? words : "";
}

function visibilityFlags(
  hiddenBy: HiddenBy | undefined,
  isShown: boolean,
  coveredBy: string | undefined,
): number {
  if (hiddenBy) return Flag.Hidden;
  return (isShown ? Flag.InViewport : 0) | (coveredBy === undefined ? 0 : Flag.Covered);
}

function isInView(element: Element): boolean {
  const { left, top, right, bottom } = rectOf(element);
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
