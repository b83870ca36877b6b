// For tests: puts markup into the page and reads its facts.
import type { ElementNode, PageFacts, TextNode } from "../protocol/generated";
import { facts } from "./facts";
import { isText } from "./lines";

export function show(markup: string): void {
  document.body.innerHTML = markup;
}

export function readFacts(): PageFacts {
  return JSON.parse(facts());
}

export function nodesOf(markup: string): (TextNode | ElementNode)[] {
  show(markup);
  return readFacts().nodes;
}

export function elementsOf(markup: string): ElementNode[] {
  return nodesOf(markup).filter((node): node is ElementNode => !isText(node));
}

/** The controls, as role and name. */
export function controlsOf(markup: string): string[] {
  return elementsOf(markup)
    .filter(([, , , , flags = 0]) => flags & 1)
    .map(([, , role, name]) => `${role} "${name}"`);
}

/** Everything a reader would get: names and text in order. */
export function wordsOf(markup: string): string {
  return nodesOf(markup)
    .map((node) => (isText(node) ? node[1] : (node[3] ?? "")))
    .filter((words) => words !== "")
    .join("|");
}

/** The numbers of the controls that are in the page now. */
export function controlNumbers(): number[] {
  return readFacts().nodes.flatMap((node) => (node.length > 5 && node[5] ? [node[5]] : []));
}

/** The number of the first control of some markup. */
export function numberOfControl(markup: string): number {
  show(markup);
  const [number] = controlNumbers();
  if (number === undefined) throw new Error("There is no control.");
  return number;
}
