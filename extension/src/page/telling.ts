// Turns elements into nodes: which of them become one, with what role and name,
// and what of their content is told as theirs. Going through the content is the
// walk's work; it is handed over with what is to be done afterwards.
import { Flag } from "../protocol/generated";
import { exceedsName, heldValue, pictureAlternative } from "./alternatives";
import { type Around, lineParent, parentNode, unnamed, within } from "./around";
import { closest, selectIn, textOf } from "./clobbered";
import { isEditingHost, isRestyledInput } from "./controls";
import { contentBox, frameIndexOf } from "./frames";
import { indexedLabels } from "./labels";
import type { Block, ElementFacts, Flags, Lines } from "./lines";
import { type Marks, marksInLine, marksOfBlock, NO_MARKS } from "./marks";
import { ariaName, isNamedByLabel, placeholderOf, statedName, titleOf } from "./names";
import {
  addPart,
  addPicture,
  addUnspoken,
  emptyNaming,
  hasWords,
  type Naming,
  shownName,
  spokenName,
} from "./naming";
import { numberOf } from "./numbers";
import { pictureName } from "./picture-names";
import { QuerySight } from "./query-sight";
import {
  contributesNoName,
  isCalledByContent,
  isLayoutTable,
  isNamedByContent,
  roleOf,
} from "./roles";
import { isSecret, maybeSecret, tellsHeld } from "./secrets";
import { addOptions } from "./select-options";
import { addShown, LONGEST_SHOWN, says } from "./shown-words";
import { LEAVES, type Seen, type Sight } from "./sight";
import { finished } from "./sliced";
import { stateOf, writtenAddress } from "./states";
import { clean, WORDS } from "./text";
import { focusedElement, SPECK_PX, sizedDescendant } from "./visibility";

/** A clickable part of the page with more text than this is not told by its text. */
const LONGEST_CLICKABLE = 300;
/** A drawing surface below this in width or height is an ornament, if nothing names it. */
const LARGE_CANVAS_PX = 100;

/** Worth a node even when there is nothing in them. */
const KEPT_EMPTY = new Set("cell columnheader rowheader gridcell meter progressbar".split(" "));

const CELLS = new Set("cell columnheader rowheader gridcell".split(" "));

/** Told by a word of their own, whether or not text stands in them. */
const SPOKEN = new Set("img meter progressbar scrollbar video audio canvas object".split(" "));

const FIELD_ROLES = new Set("textbox searchbox combobox spinbutton".split(" "));

/** Told for themselves even where they are part of a control. */
const STANDING_ALONE = new Set("iframe frame video audio object embed".split(" "));

/** What there is in a drawing beside lines and areas. */
const WRITTEN = "text,foreignObject";
const READ_OR_USED = `${WRITTEN},a,[role],[tabindex],[onclick]`;

/** They may show another document. */
const FRAMES = new Set("iframe frame object embed".split(" "));

/** Goes through the content of an element, then calls back. */
export type Descend = (seen: Seen, around: Around, after?: () => void) => void;

/** A control in view, to be looked at again when all are known. */
export interface PlacedControl {
  lines: Lines;
  index: number;
  element: Element;
}

export class Telling {
  readonly controlsInView: PlacedControl[] = [];
  readonly #sight: Sight;
  readonly #descend: Descend;
  readonly #focused = focusedElement();
  readonly #labels = indexedLabels();
  readonly #hasInert = selectIn(document, "[inert]").length > 0;
  /** Judges elements that the walk is not at. */
  readonly #others = new QuerySight();

  constructor(sight: Sight, descend: Descend) {
    this.#sight = sight;
    this.#descend = descend;
  }

  /** `around` as it is inside the element. */
  tell(seen: Seen, around: Around): void {
    const { tag, kind, role } = seen;
    if (around.naming && tag === "rt") this.#descend(seen, unnamed(around));
    else if (around.naming && isApartFrom(around.naming, seen))
      this.tell(seen, { ...around, naming: undefined });
    else if (seen.isBoxless) this.#descend(seen, around);
    else if (tag === "svg") this.#drawing(seen, around);
    else if (tag === "label") this.#label(seen, around);
    else if (around.naming && isForLooks(seen)) this.#partOfName(seen, around.naming, around);
    else if (kind === "yes" || (kind === "hint" && !around.naming)) this.#control(seen, around);
    else if (around.naming && !STANDING_ALONE.has(tag))
      this.#partOfName(seen, around.naming, around);
    else if (tag === "object" && showsFallback(seen.element)) this.#descend(seen, around);
    else if (role !== "" || isTold(seen)) this.#structure(seen, around);
    else if (seen.isBlock || this.#isHolder(seen, around)) this.#plainBlock(seen, around);
    else if (!LEAVES.has(tag)) this.#marked(seen, marksInLine(seen), around);
  }

  /** Goes through what is in it, between its marks. */
  #marked(seen: Seen, marks: Marks, around: Around, then?: () => void): void {
    const { lines } = around;
    const [before, after] = seen.isLeftOut || around.isTold ? NO_MARKS : marks;
    if (before) lines.text(before, lineParent(around));
    this.#descend(seen, around, () => {
      if (after) lines.text(after, lineParent(around));
      then?.();
    });
  }

  #control(seen: Seen, around: Around): void {
    const { element, tag, role } = seen;
    if (LEAVES.has(tag)) this.#leafControl(seen, around);
    else if (isNamedByContent(role)) this.#namedByContent(seen, element, role, around);
    else if (around.naming) this.#namedByContent(seen, element, role || "generic", around);
    else this.#clickable(seen, around);
  }

  #leafControl(seen: Seen, around: Around): void {
    const { element, tag } = seen;
    const { lines, naming } = around;
    const name =
      this.#statedName(element, tag, seen.isMarked) ||
      titleOf(element) ||
      placeholderOf(element) ||
      (tag === "img" ? pictureName(element) : "");
    const role = tag === "canvas" && name ? "img" : seen.role || "generic";
    const index = this.#place(this.#controlFacts(seen, element, role, name), seen, around);
    if (tag === "select") addOptions(lines, element as HTMLSelectElement, index);
    if (naming) addPart(naming, heldValue(element, tag) ?? "");
  }

  /** Buttons, links and the like: their text is their name, and said once. */
  #namedByContent(seen: Seen, subject: Element, role: string, around: Around): void {
    const stated = this.#statedName(subject, subject.localName, isMarked(seen, subject));
    const { lines } = around;
    const index = this.#place(this.#controlFacts(seen, subject, role, stated), seen, around);
    const room = stated ? Math.max(LONGEST_SHOWN, 2 * stated.length) : undefined;
    const naming = emptyNaming(role, seen.isHidden, room);
    this.#descend(seen, { ...within(around, index, seen), naming }, () => {
      const spoken = spokenName(naming);
      const shown = shownName(naming);
      const name = stated || spoken || titleOf(seen.element);
      const node = lines.nodes[index];
      if (node && name) node[3] = name;
      if (node && shown && (stated || !spoken || naming.isPartial)) addShown(node, name, naming);
      if (node?.[4] && !stated && shown && !hasWords(naming)) node[4] |= Flag.Picture;
      else if (!name && !shown && this.#isNothing(seen, lines, index)) lines.cutAfter(index - 1);
      // A link that nothing names is told by its address instead.
      else if (node && !name && !shown && role !== "link") node[3] = pictureName(seen.element);
      if (!around.naming) return;
      if (name) addPart(around.naming, name);
      else addUnspoken(around.naming, naming);
    });
  }

  /** What the page made clickable, and fields that are no input. */
  #clickable(seen: Seen, around: Around): void {
    const { element, tag } = seen;
    const { lines } = around;
    const isField = isEditingHost(element) || FIELD_ROLES.has(seen.role);
    const role = seen.role || (isField ? "textbox" : "generic");
    const stated =
      this.#statedName(element, tag, seen.isMarked) || (isField ? titleOf(element) : "");
    const facts = this.#controlFacts(seen, element, role, stated);
    if (!isField && isScrollable(seen)) facts.state = { ...facts.state, scrollable: true };
    const index = this.#place(facts, seen, around);
    lines.contents.begin();
    this.#descend(seen, within(around, index, seen), () => {
      const { text, isWhole, isTextOnly, isControlsOnly } = lines.contents.end();
      if (seen.kind === "hint" && isControlsOnly) {
        // The cursor belongs to the controls inside.
        const flags = facts.flags & ~Flag.Control;
        lines.replace(index, { tag, role: seen.role, flags });
      } else if (isField && ((isTextOnly && isWhole) || facts.flags & Flag.Secret)) {
        lines.cutAfter(index);
        const value = facts.flags & Flag.Secret ? {} : { value: text };
        lines.replace(index, { ...facts, state: { ...facts.state, ...value } });
      } else if (
        !isField &&
        isTextOnly &&
        text.length <= (stated ? LONGEST_SHOWN : LONGEST_CLICKABLE)
      ) {
        const name = stated || (isCalledByContent(seen.role) && text) || titleOf(element);
        lines.cutAfter(index);
        if (!name && !text && this.#isNothing(seen, lines, index)) lines.cutAfter(index - 1);
        else lines.replace(index, { ...facts, name: name || (text ? "" : pictureName(element)) });
        if (!says(name, text)) lines.addState(index, { shows: text });
      }
    });
  }

  /** A label stands for its control where that can't be seen. */
  #label(seen: Seen, around: Around): void {
    const { control } = seen.element as HTMLLabelElement;
    const isControlVisible = control !== null && !finished(this.#others.isGone(control));
    if (control && !seen.isLeftOut && isRestyledInput(control) && !isControlVisible) {
      this.#namedByContent(seen, control, roleOf(control, control.localName), around);
    } else if (!control && seen.kind !== "no") {
      this.#clickable(seen, around);
    } else {
      const isTold =
        around.isTold ||
        (isControlVisible && isNamedByLabel(control) && !exceedsName(seen.element));
      if (seen.isBlock && !around.naming) this.#plainBlock(seen, { ...around, isTold });
      else this.#descend(seen, { ...around, isTold });
    }
  }

  #drawing(seen: Seen, around: Around): void {
    const { element, tag, role, kind } = seen;
    const name = this.#statedName(element, tag, seen.isMarked);
    const isControl = kind === "yes" || (kind === "hint" && !around.naming);
    const isMore = selectIn(element, READ_OR_USED).length > 0;
    if (isControl && isMore) {
      this.#control(seen, around);
    } else if (isControl) {
      const known = name || titleOf(element) || pictureName(element);
      const facts = this.#controlFacts(seen, element, role || "generic", known);
      this.#place(facts, seen, around);
    } else if (around.naming) {
      if (name) addPicture(around.naming, name);
      else this.#descend(seen, around);
    } else if (name && !seen.isLeftOut) {
      this.#place({ tag, role: "img", name, flags: this.#sight.flagsOf(seen) }, seen, around);
      if (isMore) this.#inPicture(seen, name, around);
    } else {
      this.#descend(seen, around);
    }
  }

  #partOfName(seen: Seen, naming: Naming, around: Around): void {
    const { element, tag } = seen;
    const isContainer = contributesNoName(seen.role, tag);
    const said =
      ((seen.isMarked || isContainer) && this.#statedName(element, tag, seen.isMarked)) ||
      (isContainer && titleOf(element));
    const alternative = pictureAlternative(element, tag);
    if (said) addPart(naming, said);
    else if (alternative !== undefined) addPicture(naming, alternative);
    else if (!LEAVES.has(tag)) this.#descend(seen, around);
  }

  #structure(seen: Seen, around: Around): void {
    const { tag } = seen;
    const { lines } = around;
    const isLeaf = LEAVES.has(tag) || tag === "object";
    if (isLeaf && seen.isLeftOut) return;
    const name = this.#nameOfStructure(seen);
    const role = tag === "canvas" && name ? "img" : seen.role;
    if (this.#isOrnament(seen, role, name)) {
      if (!isLeaf) this.#descend(seen, around);
      return;
    }
    const isPicture = role === "img";
    const index = this.#place(this.#structureFacts(seen, role, name), seen, around);
    if (isLeaf || isPicture) {
      if (!isPicture) lines.contents.structure();
      else if (!isLeaf) this.#inPicture(seen, name, around);
      return;
    }
    const inner = { ...within(around, index, seen), isLayoutTable: false };
    this.#marked(seen, marksOfBlock(seen), inner, () => {
      const isEmpty = lines.nodes.length === index + 1;
      if (isEmpty && !KEPT_EMPTY.has(role) && !isBusy(seen)) lines.cutAfter(index - 1);
      else if (role !== "paragraph") lines.contents.structure();
    });
  }

  /** What can be read or used in a picture stands behind it, unless its name says it. */
  #inPicture(seen: Seen, name: string, around: Around): void {
    const isDrawing = seen.tag === "svg";
    const holders = isDrawing ? [...selectIn(seen.element, WRITTEN)] : [seen.element];
    const words = holders.map((holder) => clean(textOf(holder)));
    const isSaid = words.every((said) => !WORDS.test(said) || says(name, said));
    const isTold = around.isTold || isSaid;
    this.#descend(seen, { ...around, isTold });
  }

  /** The caption of a table is told where it stands. */
  #nameOfStructure({ element, tag, isMarked }: Seen): string {
    if (tag !== "table") return this.#statedName(element, tag, isMarked);
    return isMarked ? ariaName(element) : "";
  }

  /** A picture that nothing names, or that nobody can see. */
  #isOrnament(seen: Seen, role: string, name: string): boolean {
    if (role !== "img" && role !== "canvas") return false;
    const { width, height } = this.#sight.rectOf(seen);
    if (role === "canvas") return width < LARGE_CANVAS_PX || height < LARGE_CANVAS_PX;
    return !name || (width <= SPECK_PX && !seen.isHidden);
  }

  #structureFacts(seen: Seen, role: string, name: string): ElementFacts {
    const { element, tag } = seen;
    const secret = maybeSecret(tag, seen.isMarked) && isSecret(element);
    const state = stateOf(element, tag, role, seen.isMarked, secret, this.#focused);
    if (seen.overflow === "scrolls") state.scrollable = true;
    const frame = FRAMES.has(tag) ? frameIndexOf(element) : undefined;
    if (role === "iframe" || frame !== undefined) {
      if (role === "iframe") state.href = writtenAddress((element as HTMLIFrameElement).src);
      if (frame !== undefined) state.frame = frame;
      const rect = contentBox(element, this.#sight.rectOf(seen));
      return { tag, role, name, flags: this.#sight.flagsOf(seen), rect, state };
    }
    if (Object.keys(state).length > 0) {
      const rect = this.#sight.rectOf(seen);
      return { tag, role, name, flags: this.#sight.flagsOf(seen), rect, state };
    }
    if (SPOKEN.has(role)) return { tag, role, name, flags: this.#sight.flagsOf(seen) };
    const { known, ofBox } = this.#flags(seen);
    return { tag, role, name, flags: known, ofBox };
  }

  #flags(seen: Seen): Flags {
    return { known: this.#sight.knownFlags(seen), ofBox: () => this.#sight.boxFlags(seen) };
  }

  #plainBlock(seen: Seen, around: Around): void {
    const { element, tag, role } = seen;
    if (LEAVES.has(tag)) return;
    // Its text is its group's name, as far as there is room for it.
    const isOfGroup = tag === "legend" && element.parentElement?.localName === "fieldset";
    const isTold = around.isTold || (isOfGroup && !exceedsName(element));
    const parent = parentNode(around);
    const block: Block = { tag, flags: this.#flags(seen), parent, index: -1 };
    this.#marked(seen, marksOfBlock(seen), {
      ...around,
      parent,
      block,
      box: seen,
      isTold,
      isLayoutTable: around.isLayoutTable || isLayoutTable(element, tag, role),
    });
  }

  #place(facts: ElementFacts, seen: Seen, around: Around): number {
    const index = this.#placed(facts, seen, around);
    const isWatched = Flag.Control | Flag.InViewport;
    if ((facts.flags & isWatched) === isWatched) {
      this.controlsInView.push({ lines: around.lines, index, element: seen.element });
    }
    return index;
  }

  #placed(facts: ElementFacts, { isBlock }: Seen, around: Around): number {
    if (isBlock) facts.flags |= Flag.Block;
    else if (!CELLS.has(facts.role)) return around.lines.inline(facts, lineParent(around));
    around.lines.breakLine();
    return around.lines.element(facts, parentNode(around));
  }

  /** `subject` is whose state it is: a label stands for its control. */
  #controlFacts(seen: Seen, subject: Element, role: string, name: string): ElementFacts {
    const marked = isMarked(seen, subject);
    const tag = subject.localName;
    const secret = maybeSecret(tag, marked) && isSecret(subject);
    const state = stateOf(subject, tag, role, marked, secret, this.#focused);
    if (this.#hasInert && closest(seen.element, "[inert]")) state.disabled = true;
    // What a secret field says of itself may be what it holds.
    const tellsSecret = (words: string) => secret && tellsHeld(subject, words);
    const { placeholder = "" } = state;
    if (placeholder === name || tellsSecret(placeholder)) delete state.placeholder;
    return {
      tag: seen.tag,
      role,
      name: tellsSecret(name) ? "" : name,
      flags: this.#sight.flagsOf(seen) | Flag.Control | (secret ? Flag.Secret : 0),
      id: numberOf(seen.element),
      rect: this.#sight.rectOf(seen),
      state,
    };
  }

  /** Text of something hidden, or of something seen in it, needs a node that says so. */
  #isHolder(seen: Seen, around: Around): boolean {
    return this.#sight.tellsHidden(around) && seen.isHidden !== (around.box?.isHidden ?? false);
  }

  #statedName(element: Element, tag: string, isMarked: boolean): string {
    return statedName(element, tag, isMarked, this.#labels);
  }

  /** Neither a name nor anything in it, nor a size to press on. */
  #isNothing(seen: Seen, lines: Lines, index: number): boolean {
    if (lines.nodes.length > index + 1) return false;
    const { width, height } = this.#sight.rectOf(seen);
    return (width === 0 || height === 0) && sizedDescendant(seen.element) === undefined;
  }
}

/** Something of it is worth saying, whatever it is. */
function isTold(seen: Seen): boolean {
  return isBusy(seen) || seen.overflow === "scrolls";
}

/** Its content is about to change, and an agent had better wait; whatever it is otherwise. */
function isBusy({ element, isMarked }: Seen): boolean {
  return isMarked && element.getAttribute("aria-busy") === "true";
}

/** Has more in it than it shows. */
function isScrollable({ element, style }: Seen): boolean {
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
  const isLarger = scrollHeight > clientHeight + SPECK_PX || scrollWidth > clientWidth + SPECK_PX;
  return isLarger && /auto|scroll/.test(style.overflowX + style.overflowY);
}

/** A branch is not called by its leaves, nor a menu item by its menu. */
function isApartFrom({ role }: Naming, seen: Seen): boolean {
  if (seen.role === "group") return role === "treeitem";
  return seen.role === "menu" && role.startsWith("menuitem");
}

/** A link in a tab that the page itself calls no control of its own, and keeps the focus from. */
function isForLooks({ element, isMarked }: Seen): boolean {
  if (!isMarked || element.getAttribute("tabindex") !== "-1") return false;
  return /^(none|presentation)$/.test(element.getAttribute("role") ?? "");
}

/** A label's control was not looked at; it may be. */
function isMarked(seen: Seen, subject: Element): boolean {
  return seen.isMarked || subject !== seen.element;
}

/** Whether an object that can't be shown shows what is inside it instead. */
function showsFallback(object: Element): boolean {
  return [...object.children].some((child) => child.checkVisibility());
}
