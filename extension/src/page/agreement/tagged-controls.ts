// For the test of agreement: runs in the page, reads its facts and marks each
// control's element with its number, by which the browser's own accessibility
// tree can be compared.
import { type ElementNode, Flag, type PageFacts } from "../../protocol/generated";
import { facts } from "../facts";
import { isText } from "../lines";
import { elementOf } from "../numbers";

export const MARK = "data-agreement";

export interface ToldControl {
  number: number;
  tag: string;
  role: string;
  /** Where it is empty, the content says it. */
  name: string;
}

export async function tagControls(): Promise<ToldControl[]> {
  const { nodes }: PageFacts = JSON.parse(await facts(null));
  return nodes.flatMap((node, index) => {
    if (isText(node) || !((node[4] ?? 0) & Flag.Control)) return [];
    const [, tag, role, name = "", , number = 0] = node as ElementNode;
    elementOf(number)?.setAttribute(MARK, String(number));
    return [{ number, tag, role, name: name || wordsUnder(nodes, index) }];
  });
}

function wordsUnder(nodes: PageFacts["nodes"], index: number): string {
  const under = new Set([index]);
  let words = "";
  for (const [at, node] of nodes.entries()) {
    if (!under.has(node[0])) continue;
    under.add(at);
    words += isText(node) ? node[1] : ` ${node[7]?.value ?? node[3] ?? ""} `;
  }
  return words.replace(/\s+/g, " ").trim();
}
