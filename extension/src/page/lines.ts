// Collects the nodes of the facts in document order and keeps track of the
// line that text and inline things stand on: where a blank belongs, which runs
// of text are one, and which plain blocks are worth a node at all.
import {
  type ElementNode,
  Flag,
  type PageFacts,
  type State,
  type TextNode,
} from "../protocol/generated";
import { fold } from "./text";

/** A plain block. It becomes a node once something stands directly in it. */
export interface Block {
  tag: string;
  /** Read once it becomes a node. */
  flags: () => number;
  /** Node that it would hang on. */
  parent: number;
  /** Its own node; -1 while it has none. */
  index: number;
}

export interface ElementFacts {
  tag: string;
  role: string;
  name?: string;
  flags: number;
  id?: number;
  rect?: DOMRect;
  state?: State;
}

export class Lines {
  readonly nodes: PageFacts["nodes"] = [];
  #atStart = true;
  #endsBlank = false;
  #owesBlank = false;

  /** Whatever comes next begins a line. */
  breakLine(): void {
    this.#atStart = true;
    this.#owesBlank = false;
  }

  /** A blank, if something follows on this line. */
  oweBlank(): void {
    this.#owesBlank = true;
  }

  text(data: string, parent: number): void {
    const folded = fold(data);
    const leads = this.#owesBlank || folded.startsWith(" ");
    const text = (leads && !this.#atStart && !this.#endsBlank ? " " : "") + folded.trimStart();
    this.#append(parent, text);
    this.#atStart = false;
    this.#owesBlank = false;
    this.#endsBlank = text.endsWith(" ");
  }

  /** Text as it stands, for where line breaks mean something. */
  rawText(data: string, parent: number): void {
    this.#append(parent, data);
    this.#atStart = false;
    this.#owesBlank = false;
    this.#endsBlank = /\s$/.test(data);
  }

  /** An element that stands on the line like a word. */
  inline(element: ElementFacts, parent: number): number {
    if (this.#owesBlank && !this.#atStart && !this.#endsBlank) this.#append(parent, " ");
    const index = this.element(element, parent);
    this.#atStart = false;
    this.#owesBlank = false;
    this.#endsBlank = false;
    return index;
  }

  element(facts: ElementFacts, parent: number): number {
    this.nodes.push(elementNode(facts, parent));
    return this.nodes.length - 1;
  }

  /** The node of a block, made now if there is none yet. */
  nodeOf(block: Block): number {
    if (block.index < 0) {
      const { tag, flags, parent } = block;
      block.index = this.element({ tag, role: "", flags: flags() | Flag.Block }, parent);
    }
    return block.index;
  }

  /** The same node with other facts. */
  replace(index: number, facts: ElementFacts): void {
    const parent = this.nodes[index]?.[0] ?? -1;
    this.nodes[index] = elementNode(facts, parent);
  }

  /** Takes everything after a node away again. */
  cutAfter(index: number): void {
    this.nodes.length = index + 1;
  }

  #append(parent: number, text: string): void {
    const last = this.nodes.at(-1);
    if (last && isText(last) && last[0] === parent) last[1] += text;
    else this.nodes.push([parent, text]);
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
