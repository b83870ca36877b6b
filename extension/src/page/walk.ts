// The walk: once through the flattened tree (open shadow roots, slots), turning
// what a person can see into nodes. Styles and boxes are only read, so the page
// is laid out at most once.
import { Flag, type PageFacts } from "../protocol/generated";
import { type ControlKind, controlKind, isEditingHost, isRestyledInput } from "./controls";
import { type Block, type ElementFacts, isText, Lines } from "./lines";
import { clean, isNamedByLabel, statedName, titleOf } from "./names";
import { numberOf } from "./numbers";
import { isLayoutTable, isNamedByContent, roleOf } from "./roles";
import { isSecret } from "./secrets";
import { addOptions } from "./select-options";
import { stateOf } from "./states";
import { isBlank } from "./text";
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

/** Their content is theirs, not text of the page. */
const LEAVES = new Set(
  "input select textarea iframe frame img canvas video audio meter progress".split(" "),
);

/** Worth a node even when there is nothing in them. */
const KEPT_EMPTY = new Set(
  "cell columnheader rowheader gridcell iframe meter progressbar img".split(" "),
);

const TABLE_PARTS = new Set("tr td th thead tbody tfoot caption".split(" "));

/** What an element finds around it. */
interface Around {
  /** Nearest ancestor that has a node. */
  parent: number;
  /** Nearest plain block inside that one. */
  block: Block | undefined;
  /** Gathers the name of the control that this is part of. */
  naming: Naming | undefined;
  cursor: string;
  /** Laid out side by side, so that blocks don't break the line. */
  isRow: boolean;
  /** The text here was told already, as a control's name. */
  isTold: boolean;
  isPreformatted: boolean;
  isLayoutTable: boolean;
  depth: number;
}

interface Naming {
  /** Without what the page hides from screen readers. */
  spoken: string;
  /** Everything a person sees. */
  seen: string;
}

interface Seen {
  element: Element;
  tag: string;
  style: CSSStyleDeclaration;
  rect: DOMRect;
  role: string;
  kind: ControlKind;
  flags: number;
  isBlock: boolean;
  /** The element itself; its children may be seen all the same. */
  isVisible: boolean;
}

export function walkPage(): PageFacts["nodes"] {
  const walk = new Walk();
  if (document.body) walk.page(document.body);
  else if (document.documentElement) walk.page(document.documentElement);
  return walk.lines.nodes;
}

class Walk {
  readonly lines = new Lines();
  readonly #focused = focusedElement();
  readonly #width = innerWidth;
  readonly #height = innerHeight;
  readonly #left = -scrollX;
  readonly #top = -scrollY;

  page(root: Element): void {
    this.#element(root, {
      parent: -1,
      block: undefined,
      naming: undefined,
      cursor: "auto",
      isRow: false,
      isTold: false,
      isPreformatted: false,
      isLayoutTable: false,
      depth: 0,
    });
  }

  #element(element: Element, around: Around): void {
    const tag = element.localName;
    if (SKIPPED.has(tag) || around.depth > DEEPEST) return;
    const style = getComputedStyle(element);
    const { display } = style;
    if (display === "none") return;
    if (display === "contents") {
      this.#children(element, tag, { ...around, depth: around.depth + 1 }, true);
      return;
    }
    if (style.opacity === "0" && !isRestyledInput(element)) return;
    const rect = element.getBoundingClientRect();
    if (this.#isShut(element, style, rect, around)) return;
    const isVisible = style.visibility === "visible" && !this.#isOffPage(rect);
    const role = around.isLayoutTable && TABLE_PARTS.has(tag) ? "" : roleOf(element, tag);
    const { cursor } = style;
    this.#meet(
      {
        element,
        tag,
        style,
        rect,
        role,
        kind: isVisible ? controlKind(element, tag, role, cursor, around.cursor) : "no",
        flags: this.#isInViewport(rect) ? Flag.InViewport : 0,
        isBlock: isBlockDisplay(display) && !around.isRow,
        isVisible,
      },
      { ...around, cursor, isRow: isRowLayout(style, display), depth: around.depth + 1 },
      around.isRow || display.startsWith("inline-") || display === "table-cell",
    );
  }

  /** Neither the element nor anything in it can be seen. */
  #isShut(element: Element, style: CSSStyleDeclaration, rect: DOMRect, around: Around): boolean {
    const { width, height } = rect;
    if (width > SPECK_PX && height > SPECK_PX) return false;
    if (isRestyledInput(element)) return width <= SPECK_PX || height <= SPECK_PX;
    // Text for screen readers is dropped, except where it names an icon.
    if (style.overflowX !== "visible") return !around.naming;
    return width === 0 && height === 0 && !element.checkVisibility();
  }

  #isOffPage(rect: DOMRect): boolean {
    return rect.right <= this.#left || rect.bottom <= this.#top;
  }

  #isInViewport({ left, top, right, bottom, width, height }: DOMRect): boolean {
    return (
      bottom > 0 && right > 0 && top < this.#height && left < this.#width && width > 0 && height > 0
    );
  }

  #meet(seen: Seen, inside: Around, isApart: boolean): void {
    const { tag, role, element } = seen;
    if (seen.isBlock) this.lines.breakLine();
    else if (isApart) this.#apart(inside);
    if (tag === "svg") this.#drawing(seen, inside);
    else if (tag === "label") this.#label(seen, inside);
    else if (seen.kind !== "no") this.#control(seen, inside);
    else if (inside.naming) this.#partOfName(seen, inside);
    else if (tag === "legend" && element.parentElement?.localName === "fieldset") return;
    else if (role !== "") this.#structure(seen, inside);
    else if (seen.isBlock) this.#plainBlock(seen, inside);
    else if (!LEAVES.has(tag)) this.#children(element, tag, inside, seen.isVisible, seen.rect);
    if (seen.isBlock) this.lines.breakLine();
    else if (isApart) this.#apart(inside);
  }

  #apart({ naming }: Around): void {
    if (naming) addBlank(naming);
    else this.lines.oweBlank();
  }

  #control(seen: Seen, inside: Around): void {
    const { element, tag, role } = seen;
    if (LEAVES.has(tag)) {
      const index = this.#place(
        this.#controlFacts(element, seen, statedName(element, tag) || titleOf(element)),
        seen,
        inside,
      );
      if (tag === "select") addOptions(this.lines, element as HTMLSelectElement, index);
    } else if (isNamedByContent(role)) {
      this.#namedByContent(element, seen, inside);
    } else {
      this.#clickable(seen, inside);
    }
  }

  /** Buttons, links and the like: their text is their name, and said once. */
  #namedByContent(subject: Element, seen: Seen, inside: Around): void {
    const { element, tag } = seen;
    const stated = statedName(subject, tag);
    const index = this.#place(this.#controlFacts(subject, seen, stated), seen, inside);
    const naming: Naming = { spoken: "", seen: "" };
    this.#children(
      element,
      tag,
      { ...inside, parent: index, block: undefined, naming, isTold: false },
      seen.isVisible,
      seen.rect,
    );
    const node = this.lines.nodes[index];
    if (!stated && node) node[3] = clean(naming.spoken) || clean(naming.seen) || titleOf(element);
    if (inside.naming) addBlank(inside.naming);
  }

  /** What the page made clickable, and fields that are no input. */
  #clickable(seen: Seen, inside: Around): void {
    const { element, tag, kind } = seen;
    const isField =
      isEditingHost(element) || /^(textbox|searchbox|combobox|spinbutton)$/.test(seen.role);
    const role = seen.role || (isEditingHost(element) ? "textbox" : "generic");
    const stated = statedName(element, tag) || (isField ? titleOf(element) : "");
    const facts = this.#controlFacts(element, { ...seen, role }, stated);
    const index = this.#place(facts, seen, inside);
    this.#children(
      element,
      tag,
      { ...inside, parent: index, block: undefined, naming: undefined, isTold: false },
      seen.isVisible,
      seen.rect,
    );
    const content = this.#contentAfter(index);
    const node = this.lines.nodes[index];
    if (!node || isText(node)) return;
    if (kind === "hint" && content.isControlsOnly) {
      // The cursor belongs to the controls inside.
      node[4] = seen.flags | (seen.isBlock ? Flag.Block : 0);
      node[2] = seen.role;
      node.length = 5;
      return;
    }
    if (
      !content.isTextOnly ||
      content.text.length > (isField ? Number.POSITIVE_INFINITY : LONGEST_CLICKABLE)
    )
      return;
    this.lines.cutAfter(index);
    if (isField) {
      const [, , , , , , rect = [0, 0, 0, 0], state = {}] = node;
      node[6] = rect;
      node[7] = { ...state, value: content.text };
    } else if (!stated) {
      node[3] = content.text || titleOf(element);
    }
  }

  /** A label stands for its control where that can't be seen. */
  #label(seen: Seen, inside: Around): void {
    const { element, tag } = seen;
    const { control } = element as HTMLLabelElement;
    if (control && seen.isVisible && isRestyledInput(control) && !isVisible(control)) {
      const role = roleOf(control, control.localName);
      this.#namedByContent(control, { ...seen, role, kind: "yes" }, inside);
      return;
    }
    const isTold = control !== null && isNamedByLabel(control) && isVisible(control);
    const around = { ...inside, isTold: inside.isTold || isTold };
    if (!control && seen.kind === "yes") this.#control(seen, inside);
    else if (seen.isBlock && !inside.naming) this.#plainBlock(seen, around);
    else this.#children(element, tag, around, seen.isVisible, seen.rect);
  }

  #drawing(seen: Seen, inside: Around): void {
    const { element, tag, role, isVisible, rect } = seen;
    const name = statedName(element, tag);
    if (inside.naming) {
      if (name) inside.naming.spoken += ` ${name} `;
    } else if (seen.kind !== "no") {
      const naming = name || titleOf(element);
      this.#place(
        this.#controlFacts(element, { ...seen, role: role || "generic" }, naming),
        seen,
        inside,
      );
    } else if (name && isVisible) {
      this.#place({ tag, role: "img", name, flags: seen.flags }, seen, inside);
    } else {
      this.#children(element, tag, inside, isVisible, rect);
    }
  }

  #partOfName(seen: Seen, inside: Around): void {
    const { element, tag } = seen;
    if (tag === "img" && inside.naming) {
      const alt = statedName(element, tag);
      if (alt) inside.naming.spoken += ` ${alt} `;
    } else if (!LEAVES.has(tag)) {
      this.#children(element, tag, inside, seen.isVisible, seen.rect);
    }
    if (seen.isBlock && inside.naming) addBlank(inside.naming);
  }

  #structure(seen: Seen, inside: Around): void {
    const { element, tag, role, rect, isVisible } = seen;
    if (LEAVES.has(tag) && !isVisible) return;
    const name = statedName(element, tag);
    if (role === "img" && (!name || rect.width <= SPECK_PX)) {
      if (tag !== "img") this.#children(element, tag, inside, isVisible, rect);
      return;
    }
    const state = stateOf(element, tag, role, isSecret(element), this.#focused);
    if (tag === "iframe" || tag === "frame") state.href = (element as HTMLIFrameElement).src;
    const isPlaced = tag === "iframe" || Object.keys(state).length > 0;
    const facts: ElementFacts = {
      tag,
      role,
      name,
      flags: seen.flags,
      state,
      ...(isPlaced && { rect }),
    };
    const index = this.#place(facts, seen, inside);
    if (LEAVES.has(tag) || role === "img") return;
    this.#children(
      element,
      tag,
      {
        ...inside,
        parent: index,
        block: undefined,
        isPreformatted: inside.isPreformatted,
        isLayoutTable: role === "table" ? false : inside.isLayoutTable,
      },
      isVisible,
      rect,
    );
    const isEmpty = this.lines.nodes.length === index + 1;
    if (isEmpty && !KEPT_EMPTY.has(role)) this.lines.cutAfter(index - 1);
  }

  #plainBlock(seen: Seen, inside: Around): void {
    const { element, tag, flags, role } = seen;
    const block: Block = { tag, flags, parent: parentNode(inside), index: -1 };
    const around: Around = {
      ...inside,
      parent: block.parent,
      block,
      isPreformatted: inside.isPreformatted || tag === "pre",
      isLayoutTable: inside.isLayoutTable || isLayoutTable(element, tag, role),
    };
    if (!LEAVES.has(tag)) this.#children(element, tag, around, seen.isVisible, seen.rect);
  }

  #place(facts: ElementFacts, { isBlock }: Seen, inside: Around): number {
    if (isBlock) {
      const flags = facts.flags | Flag.Block;
      const index = this.lines.element({ ...facts, flags }, parentNode(inside));
      return index;
    }
    if (
      /cell|header|^row/.test(facts.role) &&
      inside.naming === undefined &&
      inside.block === undefined
    ) {
      this.lines.breakLine();
      return this.lines.element(facts, parentNode(inside));
    }
    return this.lines.inline(facts, this.#lineParent(inside));
  }

  #lineParent(around: Around): number {
    return around.block ? this.lines.nodeOf(around.block) : around.parent;
  }

  #controlFacts(
    subject: Element,
    { element, tag, role, flags, rect }: Seen,
    name: string,
  ): ElementFacts {
    const secret = isSecret(subject);
    const state = stateOf(subject, subject.localName, role, secret, this.#focused);
    if (state.placeholder === name) delete state.placeholder;
    return {
      tag,
      role,
      name,
      flags: flags | Flag.Control | (secret ? Flag.Secret : 0),
      id: numberOf(element),
      rect,
      state,
    };
  }

  #children(
    element: Element,
    tag: string,
    around: Around,
    isVisible: boolean,
    rect?: DOMRect,
  ): void {
    if (tag === "details" && !(element as HTMLDetailsElement).open) {
      const summary = element.querySelector(":scope > summary");
      if (summary) this.#element(summary, around);
      return;
    }
    const naming = around.naming && element.getAttribute("aria-hidden") === "true";
    const hidden: Around = naming ? { ...around, naming: { spoken: "", seen: "" } } : around;
    for (const node of childrenOf(element, tag)) {
      if (node.nodeType === Node.TEXT_NODE) {
        if (isVisible) this.#text(node as Text, hidden, rect);
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        this.#element(node as Element, hidden);
      }
    }
    if (naming && around.naming && hidden.naming) around.naming.seen += hidden.naming.seen;
  }

  #text(node: Text, around: Around, rect: DOMRect | undefined): void {
    const { data } = node;
    if (isBlank(data)) {
      if (around.naming) addBlank(around.naming);
      else if (around.isPreformatted) this.lines.rawText(data, this.#lineParent(around));
      else this.lines.oweBlank();
      return;
    }
    if (around.isTold) return;
    if (rect && (rect.width === 0 || rect.height === 0) && !hasTextSize(node) && !around.naming)
      return;
    if (around.naming) {
      around.naming.spoken += data;
      around.naming.seen += data;
    } else if (around.isPreformatted) {
      this.lines.rawText(data, this.#lineParent(around));
    } else {
      this.lines.text(data, this.#lineParent(around));
    }
  }

  /** What came of an element's children: nothing but text, nothing but controls, or neither. */
  #contentAfter(index: number): { text: string; isTextOnly: boolean; isControlsOnly: boolean } {
    let text = "";
    let isTextOnly = true;
    let controls = 0;
    for (let at = index + 1; at < this.lines.nodes.length; at += 1) {
      const node = this.lines.nodes[at];
      if (!node) break;
      if (isText(node)) {
        text += node[1];
      } else if (((node[4] ?? 0) & Flag.Control) !== 0) {
        controls += 1;
        isTextOnly = false;
      } else if (node[2] === "img") {
        text += ` ${node[3]} `;
      } else if (node[2] === "" || node[2] === "paragraph") {
        text += " ";
      } else {
        isTextOnly = false;
      }
    }
    const cleaned = clean(text);
    return { text: cleaned, isTextOnly, isControlsOnly: controls > 0 && cleaned === "" };
  }
}

function childrenOf(element: Element, tag: string): Iterable<Node> {
  if (element.shadowRoot) return element.shadowRoot.childNodes;
  if (tag === "slot") {
    const assigned = (element as HTMLSlotElement).assignedNodes({ flatten: true });
    if (assigned.length > 0) return assigned;
  }
  return element.childNodes;
}

function parentNode({ block, parent }: Around): number {
  return block && block.index >= 0 ? block.index : parent;
}

function addBlank(naming: Naming): void {
  naming.spoken += " ";
  naming.seen += " ";
}

function isBlockDisplay(display: string): boolean {
  return !display.startsWith("inline") && display !== "table-cell" && !display.startsWith("ruby");
}

function isRowLayout(style: CSSStyleDeclaration, display: string): boolean {
  return display.endsWith("flex") && style.flexDirection.startsWith("row");
}

function hasTextSize(node: Text): boolean {
  const range = document.createRange();
  range.selectNodeContents(node);
  const { width, height } = range.getBoundingClientRect();
  return width > 0 && height > 0;
}
