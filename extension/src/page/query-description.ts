// One element that a query found, described in full.
import { Flag, type Match, type QueryArgs, type State } from "../protocol/generated";
import { alternativeOf } from "./alternatives";
import { closest, isClobbered, parentNodeOf, parentOf, selectIn } from "./clobbered";
import { controlKind } from "./controls";
import { Hints } from "./hints";
import type { LabelsOf } from "./labels";
import { numberOf } from "./numbers";
import { rectOf } from "./query-boxes";
import { attributesOf, stylesOf } from "./query-details";
import { nameOf } from "./query-names";
import type { HiddenBy, QuerySight } from "./query-sight";
import { shownText } from "./query-text";
import { isSecret, tellsHeld } from "./secrets";
import { toldRole } from "./selectors";
import type { Sliced } from "./sliced";
import { stateOf } from "./states";
import { focusedElement } from "./visibility";

/** A clickable part of the page with more text than this is not called by it. */
const LONGEST_CLICKABLE = 300;
const CONTROLS = "a[href],button,input,select,textarea";

/** What is to be told of each element. */
type Asked = Pick<QueryArgs, "textLetters" | "attributes" | "styles">;

type Kind = Pick<Match, "tag" | "role" | "name" | "flags" | "state">;

/** A form that can't be asked about itself. */
const HIDDEN_FORM: Kind = { tag: "form", role: "", name: "", flags: 0, state: {} };

/** For as long as the page stays as it is. */
export class Description {
  readonly #args: Asked;
  readonly #sight: QuerySight;
  readonly #labels: LabelsOf;
  readonly #hints = new Hints();
  readonly #focused = focusedElement();
  /** For each document or shadow root, what has a control in it. */
  readonly #holders = new Map<Node, Set<Node>>();

  constructor(args: Asked, sight: QuerySight, labels: LabelsOf) {
    this.#args = args;
    this.#sight = sight;
    this.#labels = labels;
  }

  *of(element: Element): Sliced<Match> {
    const { textLetters, attributes, styles } = this.#args;
    const hiddenBy = yield* this.#sight.hiddenBy(element);
    const rect = rectOf(element);
    const isShown = hiddenBy === undefined && isInView(rect);
    const coveredBy = isShown ? yield* this.#sight.coveredBy(element) : undefined;
    const { flags, ...kind } = isClobbered(element) ? HIDDEN_FORM : this.#kindOf(element);
    return {
      id: numberOf(element),
      ...kind,
      text: yield* shownText(element, textLetters, hiddenBy !== undefined),
      flags: flags | visibilityFlags(hiddenBy, isShown, coveredBy),
      rect: [rect.x, rect.y, rect.width, rect.height].map(Math.round) as Match["rect"],
      ...(hiddenBy && { hiddenBy }),
      ...(coveredBy !== undefined && { coveredBy }),
      hint: yield* this.#hints.for(element),
      ...(attributes && { attributes: attributesOf(element, attributes) }),
      ...(styles.length > 0 && { styles: stylesOf(element, styles) }),
    };
  }

  #kindOf(element: Element): Kind {
    const tag = element.localName;
    const role = toldRole(element, tag);
    const isControl = this.#isUsable(element, tag, role);
    const secret = isSecret(element);
    const state: State = stateOf(element, tag, role, true, secret, this.#focused);
    if (closest(element, "[inert]")) state.disabled = true;
    const named = nameOf(element, tag, role, this.#labels);
    const name = named || (isControl && role === "" ? ownWords(element) : "");
    const { placeholder = "" } = state;
    if (placeholder === name || (secret && tellsHeld(element, placeholder)))
      delete state.placeholder;
    const flags = (isControl ? Flag.Control : 0) | (secret ? Flag.Secret : 0);
    return { tag, role, name, flags, state };
  }

  #isUsable(element: Element, tag: string, role: string): boolean {
    const around = parentOf(element);
    const cursorAround = around ? getComputedStyle(around).cursor : "auto";
    const { cursor } = getComputedStyle(element);
    const kind = controlKind(element, tag, role, true, cursor, cursorAround);
    // The cursor may belong to the controls inside.
    return kind === "yes" || (kind === "hint" && !this.#holdsControl(element));
  }

  #holdsControl(element: Element): boolean {
    const root = Node.prototype.getRootNode.call(element);
    const known = this.#holders.get(root) ?? holdersIn(root);
    this.#holders.set(root, known);
    return known.has(element);
  }
}

/** From every control up, as far as nobody came before. */
function holdersIn(root: Node): Set<Node> {
  const holders = new Set<Node>();
  for (const control of selectIn(root, CONTROLS)) {
    let outer: Node | null = parentNodeOf(control);
    for (; outer && !holders.has(outer); outer = parentNodeOf(outer)) holders.add(outer);
  }
  return holders;
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

function isInView({ left, top, right, bottom }: DOMRect): boolean {
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}
