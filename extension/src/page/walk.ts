// The walk: once through the flattened tree (open shadow roots, slots), turning
// what a person can see into nodes. Styles and boxes are only read, so the page
// is laid out at most once.
import { Flag, type PageFacts, type State } from "../protocol/generated";
import { firstChildOf, isClobbered, nextSiblingOf, shadowRootOf } from "./clobbered";
import { isEditingHost, isRestyledInput } from "./controls";
import { type Block, type ElementFacts, Lines } from "./lines";
import { isNamedByLabel, statedName, titleOf } from "./names";
import { addBlank, addText, contentName, emptyNaming, type Naming } from "./naming";
import { numberOf } from "./numbers";
import { watchPasswordFields } from "./password-memory";
import { isLayoutTable, isNamedByContent, roleOf } from "./roles";
import { isSecret } from "./secrets";
import { addOptions } from "./select-options";
import { LEAVES, type Seen, Sight, type Surroundings } from "./sight";
import { stateOf } from "./states";
import { isBlank } from "./text";
import { contentAfter } from "./told-content";
import { focusedElement, isVisible, SPECK_PX } from "./visibility";

/** Scripts can nest deeper than any page does; the stack can't. */
const DEEPEST = 1_000;
/** A clickable part of the page with more text than this is not told by its text. */
const LONGEST_CLICKABLE = 300;

const SKIPPED = new Set(
  "script style noscript template head meta link title base datalist param source track object embed defs symbol clipPath mask pattern marker filter metadata desc linearGradient radialGradient rp".split(
    " ",
  ),
);

/** Worth a node even when there is nothing in them. */
const KEPT_EMPTY = new Set("cell columnheader rowheader gridcell meter progressbar".split(" "));

const CELLS = new Set("cell columnheader rowheader gridcell".split(" "));

const FIELD_ROLES = new Set("textbox searchbox combobox spinbutton".split(" "));

/** What an element finds around it. */
interface Around extends Surroundings {
  /** Nearest ancestor that has a node. */
  parent: number;
  /** Nearest plain block inside that one. */
  block: Block | undefined;
  /** Nearest ancestor with a box that text stands in. */
  box: Seen | undefined;
  /** Gathers the name of the control that this is part of. */
  naming: Naming | undefined;
  /** The text here was told already, as a control's name. */
  isTold: boolean;
  isPreformatted: boolean;
  depth: number;
}

export function walkPage(): PageFacts["nodes"] {
  const root = document.body ?? document.documentElement;
  const walk = new Walk();
  if (root) walk.page(root);
  return walk.lines.nodes;
}

class Walk {
  readonly lines = new Lines();
  readonly #sight = new Sight();
  readonly #focused = focusedElement();

  page(root: Element): void {
    this.#element(root, {
      parent: -1,
      block: undefined,
      box: undefined,
      naming: undefined,
      isNaming: false,
      cursor: "auto",
      isRow: false,
      isTold: false,
      isPreformatted: false,
      isLayoutTable: false,
      depth: 0,
    });
  }

  #element(element: Element, around: Around): void {
    if (isClobbered(element)) {
      this.#hiddenForm(element, around);
      return;
    }
    const tag = element.localName;
    if (SKIPPED.has(tag) || around.depth > DEEPEST) return;
    const seen = this.#sight.look(element, tag, around);
    if (!seen) return;
    const { cursor, isRow } = seen;
    const inside = { ...around, cursor, isRow, depth: around.depth + 1 };
    this.#boundary(seen, inside);
    if (seen.isBoxless) this.#children(seen, inside);
    else if (tag === "svg") this.#drawing(seen, inside);
    else if (tag === "label") this.#label(seen, inside);
    else if (seen.kind !== "no") this.#control(seen, inside);
    else if (inside.naming) this.#partOfName(seen, inside, inside.naming);
    else if (seen.role !== "") this.#structure(seen, inside);
    else if (seen.isBlock) this.#plainBlock(seen, inside);
    else if (!LEAVES.has(tag)) this.#children(seen, inside);
    this.#boundary(seen, inside);
  }

  /** A form that can't be asked about itself; what is in it can. */
  #hiddenForm(form: HTMLFormElement, around: Around): void {
    if (around.depth > DEEPEST) return;
    const inside = { ...around, depth: around.depth + 1 };
    if (!around.naming) this.lines.breakLine();
    for (let node = firstChildOf(form); node; node = nextSiblingOf(node)) {
      if (node instanceof Element) this.#element(node, inside);
      else if (node instanceof Text) this.#text(node, inside);
    }
    if (!around.naming) this.lines.breakLine();
  }

  /** Before and after an element that stands for itself. */
  #boundary({ isBlock, isApart }: Seen, { naming }: Around): void {
    if (!isBlock && !isApart) return;
    if (naming) addBlank(naming);
    else if (isBlock) this.lines.breakLine();
    else this.lines.oweBlank();
  }

  #control(seen: Seen, inside: Around): void {
    const { element, tag, role } = seen;
    if (LEAVES.has(tag)) {
      const name = statedName(element, tag, seen.isMarked) || titleOf(element);
      const index = this.#place(this.#controlFacts(seen, element, role, name), seen, inside);
      if (tag === "select") addOptions(this.lines, element as HTMLSelectElement, index);
    } else if (isNamedByContent(role)) {
      this.#namedByContent(seen, element, role, inside);
    } else {
      this.#clickable(seen, inside);
    }
  }

  /** Buttons, links and the like: their text is their name, and said once. */
  #namedByContent(seen: Seen, subject: Element, role: string, inside: Around): void {
    const stated = statedName(subject, seen.tag, isMarked(seen, subject));
    const index = this.#place(this.#controlFacts(seen, subject, role, stated), seen, inside);
    const naming = emptyNaming();
    this.#children(seen, { ...within(inside, index, seen), naming, isNaming: true });
    const node = this.lines.nodes[index];
    if (!stated && node) node[3] = contentName(naming) || titleOf(seen.element);
    if (inside.naming) addBlank(inside.naming);
  }

  /** What the page made clickable, and fields that are no input. */
  #clickable(seen: Seen, inside: Around): void {
    const { element, tag } = seen;
    const isField = isEditingHost(element) || FIELD_ROLES.has(seen.role);
    const role = seen.role || (isField ? "textbox" : "generic");
    const stated = statedName(element, tag, seen.isMarked) || (isField ? titleOf(element) : "");
    const facts = this.#controlFacts(seen, element, role, stated);
    const index = this.#place(facts, seen, inside);
    this.#children(seen, within(inside, index, seen));
    const content = contentAfter(this.lines.nodes, index);
    if (seen.kind === "hint" && content.isControlsOnly) {
      // The cursor belongs to the controls inside.
      const flags = facts.flags & ~Flag.Control;
      this.lines.replace(index, { tag, role: seen.role, flags });
    } else if (isField && content.isTextOnly) {
      this.lines.cutAfter(index);
      this.lines.replace(index, { ...facts, state: { ...facts.state, value: content.text } });
    } else if (!isField && content.isTextOnly && content.text.length <= LONGEST_CLICKABLE) {
      this.lines.cutAfter(index);
      this.lines.replace(index, { ...facts, name: stated || content.text || titleOf(element) });
    }
  }

  /** A label stands for its control where that can't be seen. */
  #label(seen: Seen, inside: Around): void {
    const { control } = seen.element as HTMLLabelElement;
    const isControlVisible = control !== null && isVisible(control);
    if (control && seen.isVisible && isRestyledInput(control) && !isControlVisible) {
      this.#namedByContent(seen, control, roleOf(control, control.localName), inside);
    } else if (!control && seen.kind !== "no") {
      this.#clickable(seen, inside);
    } else {
      const isTold = inside.isTold || (isControlVisible && isNamedByLabel(control));
      if (seen.isBlock && !inside.naming) this.#plainBlock(seen, { ...inside, isTold });
      else this.#children(seen, { ...inside, isTold });
    }
  }

  #drawing(seen: Seen, inside: Around): void {
    const { element, tag, role } = seen;
    const name = statedName(element, tag, seen.isMarked);
    if (inside.naming) {
      if (name) inside.naming.pictures.push(name);
    } else if (seen.kind !== "no") {
      const facts = this.#controlFacts(seen, element, role || "generic", name || titleOf(element));
      this.#place(facts, seen, inside);
    } else if (name && seen.isVisible) {
      this.#place({ tag, role: "img", name, flags: this.#sight.flagsOf(seen) }, seen, inside);
    } else {
      this.#children(seen, inside);
    }
  }

  #partOfName(seen: Seen, inside: Around, naming: Naming): void {
    if (seen.tag === "img") {
      const alt = statedName(seen.element, seen.tag, seen.isMarked);
      if (alt) naming.pictures.push(alt);
    } else if (!LEAVES.has(seen.tag)) {
      this.#children(seen, inside);
    }
  }

  #structure(seen: Seen, inside: Around): void {
    const { element, tag, role } = seen;
    const isLeaf = LEAVES.has(tag);
    if (isLeaf && !seen.isVisible) return;
    const name = statedName(element, tag, seen.isMarked);
    const isPicture = role === "img";
    if (isPicture && (!name || this.#sight.rectOf(seen).width <= SPECK_PX)) {
      if (!isLeaf) this.#children(seen, inside);
      return;
    }
    const index = this.#place(this.#structureFacts(seen, name), seen, inside);
    if (isLeaf || isPicture) return;
    this.#children(seen, { ...within(inside, index, seen), isLayoutTable: false });
    const isEmpty = this.lines.nodes.length === index + 1;
    if (isEmpty && !KEPT_EMPTY.has(role)) this.lines.cutAfter(index - 1);
  }

  #structureFacts(seen: Seen, name: string): ElementFacts {
    const { element, tag, role } = seen;
    const state: State = stateOf(
      element,
      tag,
      role,
      seen.isMarked,
      isSecret(element),
      this.#focused,
    );
    if (role === "iframe") state.href = (element as HTMLIFrameElement).src;
    const facts = { tag, role, name, flags: this.#sight.flagsOf(seen), state };
    const isPlaced = Object.keys(state).length > 0;
    return isPlaced ? { ...facts, rect: this.#sight.rectOf(seen) } : facts;
  }

  #plainBlock(seen: Seen, inside: Around): void {
    const { element, tag, role } = seen;
    if (LEAVES.has(tag)) return;
    // Its text is its group's name.
    if (tag === "legend" && element.parentElement?.localName === "fieldset") return;
    const parent = parentNode(inside);
    const block: Block = { tag, flags: () => this.#sight.flagsOf(seen), parent, index: -1 };
    this.#children(seen, {
      ...inside,
      parent,
      block,
      box: seen,
      isPreformatted: inside.isPreformatted || tag === "pre",
      isLayoutTable: inside.isLayoutTable || isLayoutTable(element, tag, role),
    });
  }

  #place(facts: ElementFacts, { isBlock }: Seen, inside: Around): number {
    if (isBlock) facts.flags |= Flag.Block;
    else if (!CELLS.has(facts.role)) return this.lines.inline(facts, this.#lineParent(inside));
    this.lines.breakLine();
    return this.lines.element(facts, parentNode(inside));
  }

  #lineParent(around: Around): number {
    return around.block ? this.lines.nodeOf(around.block) : around.parent;
  }

  /** `subject` is whose state it is: a label stands for its control. */
  #controlFacts(seen: Seen, subject: Element, role: string, name: string): ElementFacts {
    const secret = isSecret(subject);
    const marked = isMarked(seen, subject);
    const state = stateOf(subject, subject.localName, role, marked, secret, this.#focused);
    if (state.placeholder === name) delete state.placeholder;
    return {
      tag: seen.tag,
      role,
      name,
      flags: this.#sight.flagsOf(seen) | Flag.Control | (secret ? Flag.Secret : 0),
      id: numberOf(seen.element),
      rect: this.#sight.rectOf(seen),
      state,
    };
  }

  #children(seen: Seen, around: Around): void {
    const { element, tag } = seen;
    if (tag === "details" && !(element as HTMLDetailsElement).open) {
      const summary = element.querySelector(":scope > summary");
      if (summary) this.#element(summary, around);
      return;
    }
    const { naming } = around;
    if (!naming || element.getAttribute("aria-hidden") !== "true") {
      this.#each(seen, around);
      return;
    }
    const unspoken = emptyNaming();
    this.#each(seen, { ...around, naming: unspoken });
    naming.seen += unspoken.seen;
  }

  #each(seen: Seen, around: Around): void {
    const { element, tag } = seen;
    if (tag === "slot") {
      const assigned = (element as HTMLSlotElement).assignedNodes({ flatten: true });
      for (const node of assigned) this.#node(node, seen, around);
      if (assigned.length > 0) return;
    }
    const shadowRoot = shadowRootOf(element);
    if (shadowRoot) watchPasswordFields(shadowRoot);
    const parent = shadowRoot ?? element;
    for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) {
      this.#node(node, seen, around);
    }
  }

  #node(node: Node, seen: Seen, around: Around): void {
    if (node instanceof Element) this.#element(node, around);
    else if (node instanceof Text && seen.isVisible) this.#text(node, around);
  }

  #text(node: Text, around: Around): void {
    const { data } = node;
    const { naming, box } = around;
    if (naming) {
      addText(naming, data);
    } else if (around.isTold) {
      // Said as a name already.
    } else if (isBlank(data) && !around.isPreformatted) {
      this.lines.oweBlank();
    } else if (!box || this.#isShown(node, box)) {
      const parent = this.#lineParent(around);
      if (around.isPreformatted) this.lines.rawText(data, parent);
      else this.lines.text(data, parent);
    }
  }

  #isShown(node: Text, box: Seen): boolean {
    if (!this.#sight.showsText(box)) return false;
    const { width, height } = this.#sight.rectOf(box);
    return (width > 0 && height > 0) || hasSize(node);
  }
}

/** A label's control was not looked at; it may be. */
function isMarked(seen: Seen, subject: Element): boolean {
  return seen.isMarked || subject !== seen.element;
}

/** Surroundings of what is in a node of its own. */
function within(around: Around, index: number, box: Seen): Around {
  return {
    ...around,
    parent: index,
    box,
    block: undefined,
    naming: undefined,
    isNaming: false,
    isTold: false,
  };
}

function parentNode({ block, parent }: Around): number {
  return block && block.index >= 0 ? block.index : parent;
}

/** Text may flow out of a box that has no size. */
function hasSize(node: Text): boolean {
  const range = document.createRange();
  range.selectNodeContents(node);
  const { width, height } = range.getBoundingClientRect();
  return width > 0 && height > 0;
}
