// The walk: once through the flattened tree (shadow roots, slots), turning what
// a person can see into nodes. Styles and boxes are only read, so the page is
// laid out at most once. What is still to be done lies on a stack of its own:
// a page may be nested deeper than the script's stack, and the walk can pause
// anywhere to let the page breathe.
import { Flag, type PageFacts } from "../protocol/generated";
import { type Around, atTheTop, lineParent } from "./around";
import {
  askForClosedRoots,
  hasNoElements,
  page,
  shadowRootOf,
  tagOf,
  textOf,
  typeOf,
} from "./clobbered";
import { type Cut, Cuts, standsOutside } from "./cut-off";
import { childrenOf, drawnChildren, firstChildOfTag } from "./flat-tree";
import { generatedText } from "./generated-text";
import { type Allowance, Lines } from "./lines";
import {
  addBlank,
  addText,
  addUnspoken,
  hasRoom,
  hasWords,
  isFull,
  type Naming,
  unspokenPart,
} from "./naming";
import { isOnTop, type Layer, stacked } from "./on-top";
import { watchPasswordFields } from "./password-memory";
import { contributesNoName } from "./roles";
import { isSecret } from "./secrets";
import { inside, LEAVES, type Seen, Sight } from "./sight";
import { StyleTexts } from "./style-texts";
import { styleOf } from "./styles";
import { type PlacedControl, Telling } from "./telling";
import { fold, isBlank, mayBePreformatted, preservedText, transformed, WORDS } from "./text";

/** A frame's text beyond this many letters is left out: no reader takes more. */
const MOST_LETTERS = 4_000_000;
/** Looking at the clock costs about as much as looking at a node. */
const NODES_A_GLANCE = 32;
/** So much is done whatever the clock says: on a busy machine it runs while we don't. */
const LEAST_NODES = 128;

/** Kinds of nodes, by the numbers that the DOM gives them. */
const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;

const SKIPPED = new Set(
  "script style noscript template head meta link title base datalist param source track defs symbol clipPath mask pattern marker filter metadata desc linearGradient radialGradient rp".split(
    " ",
  ),
);

/**
 * What is in an element. Of one that has text alone, the text: for every node that it
 * touches, a script has the browser make an object, and look after it.
 */
type Content = readonly (Node | string)[];

/** Content that the walk is in the middle of. */
interface Open {
  nodes: Content;
  next: number;
  seen: Seen | undefined;
  around: Around;
  after: (() => void) | undefined;
  /** Where the element itself stands, for the end of it. */
  outer: Around | undefined;
  cut: Cut | undefined;
  /** Only what stands outside of this box is looked for. */
  shutBy: Element | undefined;
}

export class Walk {
  /** Shadow roots that were found. */
  readonly roots: ShadowRoot[] = [];
  readonly #sight: Sight;
  readonly #telling: Telling;
  readonly #open: Open[] = [];
  readonly #allowance: Allowance = { left: MOST_LETTERS, omitted: 0 };
  readonly #page = new Lines(this.#allowance);
  readonly #layers: Layer[] = [];
  readonly #cuts: Cuts;
  readonly #styleTexts = new StyleTexts();

  /** All of the page, or one element and what is in it. */
  constructor(includesHidden: boolean, root = page.root) {
    askForClosedRoots();
    this.#sight = new Sight(includesHidden);
    this.#cuts = new Cuts(this.#sight);
    this.#styleTexts.add(document);
    this.#telling = new Telling(this.#sight, (seen, around, after) =>
      this.#descend(seen, around, after),
    );
    if (root) this.#push([root], undefined, atTheTop(this.#page));
  }

  /** Goes on until `isTime` to pause; whether everything is walked. */
  advance(isTime: () => boolean): boolean {
    for (let count = 1; this.#open.length > 0; count += 1) {
      this.#step();
      const isGlance = count >= LEAST_NODES && count % NODES_A_GLANCE === 0;
      if (isGlance && isTime()) return this.#open.length === 0;
    }
    return true;
  }

  /** What lies on top comes first. */
  nodes(): PageFacts["nodes"] {
    return stacked(this.#layers, this.#page.nodes);
  }

  get controlsInView(): readonly PlacedControl[] {
    return this.#telling.controlsInView;
  }

  /** Letters of text for which there was no room. */
  get omittedLetters(): number {
    return this.#allowance.omitted;
  }

  #step(): void {
    const content = this.#open.at(-1);
    if (!content) return;
    const { nodes, next, seen, around } = content;
    const node = nodes[next];
    content.next += 1;
    if (typeof node === "string") {
      if (seen && !seen.isLeftOut) this.#words(node, seen.element, seen, around);
      return;
    }
    if (!node) {
      const { after, outer, cut } = content;
      this.#open.pop();
      if (cut) this.#cuts.end(cut);
      after?.();
      if (seen && outer) this.#boundary(seen, outer);
      return;
    }
    const type = typeOf(node);
    if (content.shutBy) {
      if (type === ELEMENT) this.#inShutBox(node as Element, content.shutBy, around);
    } else if (type === ELEMENT) {
      this.#element(node as Element, around);
    } else if ((type === TEXT || type === CDATA) && !seen?.isLeftOut) {
      this.#words((node as Text).data, node as Text, seen, around);
    }
  }

  /** Text of the page; `holder` is the node it is in. */
  #words(text: string, holder: Text | Element, seen: Seen | undefined, around: Around): void {
    if (around.naming) this.#textForName(text, holder, seen, around.naming, around);
    else this.#text(text, holder, seen, around);
  }

  #element(element: Element, around: Around): void {
    const tag = tagOf(element);
    if (SKIPPED.has(tag)) return;
    const seen = this.#sight.look(element, tag, around);
    if (seen === "shut") this.#inShutBox(element, element, around);
    if (!seen || seen === "shut") return;
    if (tag === "br") {
      this.#lineBreak(seen, around);
      return;
    }
    const outer = inside(seen, isOnTop(seen, this.#sight) ? this.#layer(seen, around) : around);
    this.#boundary(seen, outer);
    const depth = this.#open.length;
    this.#telling.tell(seen, outer);
    const content = this.#open[depth];
    if (content) {
      content.outer = outer;
      content.cut = this.#cuts.begin(seen, outer.lines);
    } else this.#boundary(seen, outer);
  }

  /** A box that shows nothing may still hold what it doesn't cut off: a dialog, a menu. */
  #inShutBox(element: Element, box: Element, around: Around): void {
    const tag = tagOf(element);
    if (SKIPPED.has(tag)) return;
    const { display, opacity, position, contentVisibility } = styleOf(element);
    if (display === "none" || display === "" || opacity === "0") return;
    if (element !== box && standsOutside(element, position, box)) {
      this.#element(element, around);
      return;
    }
    const isClosed = tag === "details" && !(element as HTMLDetailsElement).open;
    if (contentVisibility === "hidden" || isClosed || LEAVES.has(tag)) return;
    this.#push(this.#childrenOf({ element, tag }), undefined, around, undefined, box);
  }

  /** Something on top of the page has lines of its own. */
  #layer(seen: Seen, around: Around): Around {
    const lines = new Lines(this.#allowance);
    this.#layers.push({ element: seen.element, lines });
    seen.isOnTop = true;
    seen.role ||= "dialog";
    if (seen.kind === "hint") seen.kind = "no";
    return { ...atTheTop(lines), isBuried: around.isBuried };
  }

  /** Before and after an element that stands for itself. */
  #boundary({ isBlock, isApart }: Seen, { naming, lines }: Around): void {
    if (!isBlock && !isApart) return;
    if (naming && !isFull(naming)) addBlank(naming);
    else if (isBlock) lines.breakLine();
    else lines.oweBlank();
  }

  #lineBreak({ isLeftOut }: Seen, { naming, lines }: Around): void {
    if (naming && !isFull(naming)) addBlank(naming);
    else if (!isLeftOut) lines.oweBreak();
  }

  #descend(seen: Seen, around: Around, after?: () => void): void {
    const { element, tag } = seen;
    const tellsHidden = this.#sight.tellsHidden(around);
    if (seen.buriesContent && !tellsHidden) {
      this.#push([], seen, around, after);
    } else if (tag === "details" && !(element as HTMLDetailsElement).open) {
      const summary = firstChildOfTag(element, "summary");
      const rest = tellsHidden ? childrenOf(element).filter((node) => node !== summary) : [];
      this.#push(rest, seen, { ...around, isBuried: true }, after);
      if (summary) this.#push([summary], seen, around);
    } else if (around.naming) {
      this.#descendForName(seen, around, after);
    } else {
      this.#push(this.#contentOf(seen), seen, around, after);
    }
  }

  /** What is in it, with the words that a style sheet puts before and after that. */
  #contentOf(seen: Seen): Content {
    const { element, tag, isBoxless, isLeftOut } = seen;
    const nodes = this.#childrenOf(seen);
    if (isBoxless || isLeftOut) return nodes;
    if (tag !== "q" && !this.#styleTexts.mayBeAt(element, nodes.length === 0)) return nodes;
    const [before, after] = [generatedText(element, "::before"), generatedText(element, "::after")];
    const isWorthIt = (text: string) => tag === "q" || WORDS.test(text);
    return [...(isWorthIt(before) ? [before] : []), ...nodes, ...(isWorthIt(after) ? [after] : [])];
  }

  /** Style sheets may add to a name, and attributes keep parts out of it. */
  #descendForName(seen: Seen, around: Around, after?: () => void): void {
    const { naming } = around;
    if (!naming) return;
    const isContainer = contributesNoName(seen.role, seen.tag);
    const isUnspoken =
      isContainer || (seen.isMarked && seen.element.getAttribute("aria-hidden") === "true");
    const gathering = isUnspoken ? unspokenPart(naming) : naming;
    const holdsSecret = seen.isMarked && isSecret(seen.element);
    const nodes = holdsSecret ? [] : this.#childrenOf(seen);
    const isAdding = addsText(seen, nodes) || this.#styleTexts.mayBeAt(seen.element, false);
    if (isAdding) addText(gathering, generatedText(seen.element, "::before"));
    this.#push(nodes, seen, { ...around, naming: gathering }, () => {
      if (isAdding) addText(gathering, generatedText(seen.element, "::after"));
      if (isUnspoken) {
        gathering.isPartial ||= isContainer && hasWords(gathering);
        addUnspoken(naming, gathering);
      }
      after?.();
    });
  }

  #childrenOf({ element, tag }: Pick<Seen, "element" | "tag">): Content {
    const shadowRoot = shadowRootOf(element, tag);
    if (shadowRoot) {
      this.roots.push(shadowRoot);
      this.#styleTexts.add(shadowRoot);
      watchPasswordFields(shadowRoot);
    } else if (tag !== "slot" && hasNoElements(element)) {
      const text = textOf(element);
      return text === "" ? [] : [text];
    }
    return drawnChildren(element, tag, shadowRoot);
  }

  #push(
    nodes: Content,
    seen: Seen | undefined,
    around: Around,
    after?: () => void,
    shutBy?: Element,
  ): void {
    this.#open.push({
      nodes,
      next: 0,
      seen,
      around,
      after,
      outer: undefined,
      cut: undefined,
      shutBy,
    });
  }

  /** What a name has no room for stands behind it. */
  #textForName(
    data: string,
    holder: Text | Element,
    seen: Seen | undefined,
    naming: Naming,
    around: Around,
  ): void {
    const wasFull = isFull(naming);
    if (!wasFull && hasRoom(naming, data)) {
      if (isBlank(data)) addBlank(naming);
      else addText(naming, fold(drawnText(data, seen, naming)));
      return;
    }
    if (!wasFull) around.lines.oweBlank();
    this.#text(data, holder, seen, around);
  }

  #text(data: string, holder: Text | Element, seen: Seen | undefined, around: Around): void {
    const { lines } = around;
    if (around.isTold) return; // Said as a name already.
    const isEmpty = isBlank(data);
    // Between blocks, white space means nothing, so no style is asked about it.
    const isSuspect = (!isEmpty || !lines.isAtStart) && mayBePreformatted(data);
    const preserved = isSuspect && seen ? preservedText(data, seen.style.whiteSpaceCollapse) : "";
    if (isEmpty && preserved === "") {
      lines.oweBlank();
    } else if (this.#isShown(holder, seen, around)) {
      const parent = lineParent(around);
      const transform = seen?.style.textTransform ?? "none";
      const drawn = transformed(preserved || data, transform, () => lines.lastLetters);
      if (preserved) lines.rawText(drawn, parent);
      else lines.text(drawn, parent);
      this.#cuts.told(holder, lines, parent);
    } else if (this.#sight.tellsHidden(around)) {
      hiddenText(data, around);
    }
  }

  /** What is hidden as a whole has a node that says so, if it is told. */
  #isShown(holder: Text | Element, seen: Seen | undefined, around: Around): boolean {
    const { box } = around;
    if (!box || (box.isHidden && this.#sight.tellsHidden(around))) return true;
    // In a box that is seen itself: what is in a closed part of it, or has no height.
    if (around.isBuried || (seen !== box && seen?.style.fontSize === "0px")) return false;
    if (this.#sight.isOffPage(box)) return false;
    const { width, height } = this.#sight.rectOf(box);
    return (width > 0 && height > 0) || hasSize(holder);
  }
}

/**
 * Whether a style sheet may have written a part of the name. Asking costs more
 * than all else about an element, so it is left out for links that have text.
 */
function addsText({ tag, kind, role, isBoxless }: Seen, content: Content): boolean {
  if (isBoxless) return false;
  return content.length === 0 || tag === "q" || (kind === "yes" && role !== "link");
}

/** A name is written the way it is drawn. */
function drawnText(data: string, seen: Seen | undefined, naming: Naming): string {
  return seen ? transformed(data, seen.style.textTransform, () => naming.seen.slice(-2)) : data;
}

function hiddenText(data: string, around: Around): void {
  const { lines, box } = around;
  lines.breakLine();
  const flags = Flag.Hidden | Flag.Block;
  lines.text(data, lines.element({ tag: box?.tag ?? "", role: "", flags }, lineParent(around)));
  lines.breakLine();
}

/** Text may flow out of a box that has no size. */
function hasSize(holder: Text | Element): boolean {
  const { width, height } = page.rangeOf(holder).getBoundingClientRect();
  return width > 0 && height > 0;
}
