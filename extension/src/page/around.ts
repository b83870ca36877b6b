// What an element finds around it on the walk's way down, and what that becomes
// inside a node or a block.
import type { Block, Lines } from "./lines";
import { emptyNaming } from "./naming";
import { NOWHERE } from "./scrolled-by";
import type { Seen, Surroundings } from "./sight";

/** What an element finds around it. */
export interface Around extends Surroundings {
  /** Where nodes go: the page, or something on top of it. */
  lines: Lines;
  /** Nearest ancestor that has a node. */
  parent: number;
  /** Nearest plain block inside that one. */
  block: Block | undefined;
  /** Nearest ancestor with a box that text stands in. */
  box: Seen | undefined;
  /** The text here was told already, as a control's name. */
  isTold: boolean;
}

/** Where a walk begins, or something that lies on top of the page. */
export function atTheTop(lines: Lines): Around {
  return {
    lines,
    parent: -1,
    block: undefined,
    box: undefined,
    naming: undefined,
    cursor: "auto",
    isRow: false,
    isTold: false,
    isLayoutTable: false,
    isInPart: false,
    isBuried: false,
    scrolledBy: NOWHERE,
    isBeside: false,
  };
}

/** The node that text and inline things hang on. */
export function lineParent({ lines, block, parent }: Around): number {
  return block ? lines.nodeOf(block) : parent;
}

/** The node that blocks hang on. */
export function parentNode({ block, parent }: Around): number {
  return block && block.index >= 0 ? block.index : parent;
}

/** Surroundings of what is in a node of its own. */
export function within(around: Around, index: number, box: Seen): Around {
  return { ...around, parent: index, box, block: undefined, naming: undefined, isTold: false };
}

/** Content that is no part of the name of what it is in. */
export function unnamed(around: Around): Around {
  return { ...around, naming: emptyNaming() };
}
