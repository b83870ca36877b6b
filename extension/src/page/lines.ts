// Collects the nodes of the facts in document order and keeps track of the
// line that text and inline things stand on: where a blank belongs, which runs
// of text are one, and which plain blocks are worth a node at all. Text has an
// end: beyond what any reader takes it is only counted.
import {
  type ElementNode,
  Flag,
  type PageFacts,
  type State,
  type TextNode,
} from "../protocol/generated";
import { fold } from "./text";
import { Contents } from "./told-content";

/** A plain block. It becomes a node once something stands directly in it. */
export interface Block {
  tag: string;
  flags: Flags;
  /** Node that it would hang on. */
  parent: number;
  /** Its own node; -1 while it has none. */
  index: number;
}

/** Those that need a box to be read matter only where text stands directly in it. */
export interface Flags {
  known: number;
  ofBox: () => number;
}

export interface ElementFacts {
  tag: string;
  role: string;
  name?: string;
  flags: number;
  /** More flags, asked for once text stands directly in the element. */
  ofBox?: (() => number) | undefined;
  id?: number;
  rect?: DOMRect;
  state?: State;
}

/** Nodes without structure of their own: their text can stand alone. */
const PLAIN = new Set(["", "paragraph"]);

/** How much text may still be told; shared by all the lines of a walk. */
export interface Allowance {
  left: number;
  omitted: number;
}

export class Lines {
  readonly nodes: PageFacts["nodes"] = [];
  readonly contents = new Contents();
  /** Of nodes without text so far, by their number. */
  readonly #ofBoxes: ElementFacts["ofBox"][] = [];
  readonly #allowance: Allowance;
  #atStart = true;
  #endsBlank = false;
  #owesBlank = false;
  #owesBreak = false;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** Whatever comes next begins a line. */
  breakLine(): void {
    if (!this.#atStart) this.contents.text(" ");
    this.#atStart = true;
    this.#owesBlank = false;
    this.#owesBreak = false;
  }

  /** Nothing stands on the line yet. */
  get isAtStart(): boolean {
    return this.#atStart;
  }

  /** What text would stand right behind; empty after a blank, and at the start of a line. */
  get lastLetters(): string {
    const last = this.nodes.at(-1);
    const isApart = this.#atStart || this.#owesBlank || this.#owesBreak;
    return isApart || !last || !isText(last) ? "" : last[1].slice(-2);
  }

  /** A new line of the same text, if something follows. */
  oweBreak(): void {
    this.#owesBreak = !this.#atStart;
  }

  /** A blank, if something follows on this line. */
  oweBlank(): void {
    this.#owesBlank = true;
  }

  text(data: string, parent: number): void {
    const folded = fold(this.#allowed(data));
    if (folded === "") return;
    this.#owesBlank ||= folded.startsWith(" ");
    const text = this.#owed(parent) + folded.trimStart();
    this.#append(parent, text);
    this.#endsBlank = text.endsWith(" ");
  }

  /** After the last words of the node at `at`, if it is still there. */
  markEnd(at: number, parent: number, mark: string): void {
    const last = this.nodes[at];
    if (!last || !isText(last) || last[0] !== parent) return;
    last[1] = `${last[1].trimEnd()} ${mark}${last[1].endsWith(" ") ? " " : ""}`;
  }

  /** Text as it stands, for where line breaks mean something. */
  rawText(data: string, parent: number): void {
    const allowed = this.#allowed(data);
    if (allowed === "") return;
    this.#append(parent, this.#owed(parent) + allowed);
    this.#endsBlank = /\s$/.test(allowed);
  }

  /** An element that stands on the line like a word. */
  inline(element: ElementFacts, parent: number): number {
    const owed = this.#owed(parent);
    if (owed) this.#append(parent, owed);
    this.#endsBlank = false;
    return this.element(element, parent);
  }

  element(facts: ElementFacts, parent: number): number {
    const { role, name = "", flags } = facts;
    if (flags & Flag.Control) this.contents.control();
    else if (role === "img") this.contents.text(` ${name} `);
    else if (PLAIN.has(role)) this.contents.text(" ");
    const index = this.nodes.push(elementNode(facts, parent)) - 1;
    this.#ofBoxes[index] = facts.ofBox;
    return index;
  }

  /** The node of a block, made now if there is none yet. */
  nodeOf(block: Block): number {
    if (block.index < 0) {
      const { tag, flags, parent } = block;
      const { known, ofBox } = flags;
      block.index = this.element({ tag, role: "", flags: known | Flag.Block, ofBox }, parent);
    }
    return block.index;
  }

  /** The same node with other facts. */
  replace(index: number, facts: ElementFacts): void {
    const parent = this.nodes[index]?.[0] ?? -1;
    this.nodes[index] = elementNode(facts, parent);
  }

  addState(index: number, more: State): void {
    const node = this.nodes[index];
    if (!node || isText(node)) return;
    const [parent, tag, role, name = "", flags = 0, id = 0, rect = rounded(undefined), state] =
      node;
    this.nodes[index] = [parent, tag, role, name, flags, id, rect, { ...state, ...more }];
  }

  /** Takes everything after a node away again. */
  cutAfter(index: number): void {
    this.nodes.length = index + 1;
  }

  /** What stands between the line so far and what follows on it. */
  #owed(parent: number): string {
    const isApart = this.#owesBlank && !this.#atStart && !this.#endsBlank;
    const breaks = this.#owesBreak || (this.#atStart && this.#endsWithLineOf(parent));
    const owed = breaks ? "\n" : isApart ? " " : "";
    this.#atStart = false;
    this.#owesBlank = false;
    this.#owesBreak = false;
    return owed;
  }

  /** What broke the line left no node. */
  #endsWithLineOf(parent: number): boolean {
    const last = this.nodes.at(-1);
    if (last?.[0] !== parent || parent < 0) return false;
    return isText(last) || ((last[4] ?? 0) & (Flag.Control | Flag.Block)) === Flag.Control;
  }

  /** As much of a text as there is room for; the rest is counted. */
  #allowed(data: string): string {
    const allowance = this.#allowance;
    const allowed = data.length <= allowance.left ? data : data.slice(0, allowance.left);
    allowance.left -= allowed.length;
    allowance.omitted += data.length - allowed.length;
    return allowed;
  }

  #append(parent: number, text: string): void {
    this.contents.text(text);
    const last = this.nodes.at(-1);
    if (last && isText(last) && last[0] === parent) {
      last[1] += text;
      return;
    }
    this.#noteText(parent);
    this.nodes.push([parent, text]);
  }

  #noteText(parent: number): void {
    const ofBox = this.#ofBoxes[parent];
    const node = this.nodes[parent];
    if (!ofBox || !node || isText(node)) return;
    this.#ofBoxes[parent] = undefined;
    const flags = ofBox();
    if (flags === 0) return;
    node[3] ??= "";
    node[4] = (node[4] ?? 0) | flags;
  }
}

export function isText(node: TextNode | ElementNode): node is TextNode {
  return node.length === 2;
}

/** Trailing defaults are left out. */
function elementNode(
  { tag, role, name = "", flags, id = 0, rect, state }: ElementFacts,
  parent: number,
): ElementNode {
  const hasState = state !== undefined && Object.keys(state).length > 0;
  if (hasState) return [parent, tag, role, name, flags, id, rounded(rect), state];
  if (rect) return [parent, tag, role, name, flags, id, rounded(rect)];
  if (id) return [parent, tag, role, name, flags, id];
  if (flags) return [parent, tag, role, name, flags];
  return name ? [parent, tag, role, name] : [parent, tag, role];
}

function rounded(rect: DOMRect | undefined): [number, number, number, number] {
  if (!rect) return [0, 0, 0, 0];
  return [Math.round(rect.x), Math.round(rect.y), Math.round(rect.width), Math.round(rect.height)];
}
