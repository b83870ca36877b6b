// For tests: puts markup into the page and reads its facts.
import type { ElementNode, FactsArgs, PageFacts, TextNode } from "../protocol/generated";
import { facts } from "./facts";
import { isText } from "./lines";

export function show(markup: string): void {
  document.body.innerHTML = markup;
}

export async function readFacts(args?: FactsArgs): Promise<PageFacts> {
  return JSON.parse(await facts(args ?? null));
}

export async function nodesOf(
  markup: string,
  args?: FactsArgs,
): Promise<(TextNode | ElementNode)[]> {
  show(markup);
  return (await readFacts(args)).nodes;
}

export async function elementsOf(markup: string, args?: FactsArgs): Promise<ElementNode[]> {
  const nodes = await nodesOf(markup, args);
  return nodes.filter((node): node is ElementNode => !isText(node));
}

/** The controls, as role and name; those without a name with the words that they show. */
export async function controlsOf(markup: string): Promise<string[]> {
  return (await elementsOf(markup))
    .filter(([, , , , flags = 0]) => flags & 1)
    .map(([, , role, name, , , , state]) => {
      const shown = !name && state?.shows ? ` showing "${state.shows}"` : "";
      return `${role} "${name}"${shown}`;
    });
}

/** Everything a reader would get: names and text in order. */
export async function wordsOf(markup: string, args?: FactsArgs): Promise<string> {
  return (await nodesOf(markup, args))
    .map((node) => (isText(node) ? node[1] : node[3] || (node[7]?.shows ?? "")))
    .filter((words) => words !== "")
    .join("|");
}

/** The numbers of the controls that are in the page now. */
export async function controlNumbers(): Promise<number[]> {
  return (await readFacts()).nodes.flatMap((node) => (node.length > 5 && node[5] ? [node[5]] : []));
}

/** The number of the first control of some markup. */
export async function numberOfControl(markup: string): Promise<number> {
  show(markup);
  const [number] = await controlNumbers();
  if (number === undefined) throw new Error("There is no control.");
  return number;
}
