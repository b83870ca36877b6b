// For the test of agreement: runs in the page, reads its facts and marks each
// control's element with its number, by which the browser's own accessibility
// tree can be compared.
import { type ElementNode, Flag, type PageFacts } from "../../protocol/generated";
import { isRestyledInput } from "../controls";
import { facts } from "../facts";
import { isText } from "../lines";
import { elementOf } from "../numbers";
import { pictureName } from "../picture-names";
import { QuerySight } from "../query-sight";
import { finished } from "../sliced";

export const MARK = "data-agreement";

export interface ToldControl {
  number: number;
  tag: string;
  role: string;
  /** As it is told, between quotes or as a link's words. */
  name: string;
  /** What is told inside it: a name too, for what is named by its content. */
  content: string;
  /** Of a list to choose from. */
  options: string[];
  /** What a person reads there, and what its own attributes and pictures say. */
  readable: string[];
}

export async function tagControls(): Promise<ToldControl[]> {
  const { nodes }: PageFacts = JSON.parse(await facts(null));
  return nodes.flatMap((node, index) => {
    if (isText(node) || !((node[4] ?? 0) & Flag.Control)) return [];
    const [, tag, role, name = "", , number = 0] = node as ElementNode;
    const element = elementOf(number);
    if (!element) return [];
    named(element, role).setAttribute(MARK, String(number));
    const content = wordsUnder(nodes, index);
    const options = optionsOf(nodes, index);
    return [{ number, tag, role, name, content, options, readable: readable(element) }];
  });
}

/**
 * Lets Chromium say what pages keep from screen readers although a person uses
 * it: without that, nothing of it could be compared. Call before controls are tagged.
 */
export async function unhideControls(): Promise<void> {
  await tagControls();
  for (const hidden of document.querySelectorAll("[aria-hidden=true]")) {
    if (hidden.matches(`[${MARK}]`) || hidden.querySelector(`[${MARK}]`)) {
      hidden.removeAttribute("aria-hidden");
    }
  }
  for (const marked of document.querySelectorAll(`[${MARK}]`)) marked.removeAttribute(MARK);
}

/** Why a person can't see an element; empty if one can. */
export function hiddenBy(element: Element): string {
  return finished(new QuerySight().hiddenBy(element)) ?? "";
}

/** What the name is that of: a label stands for a control that can't be seen itself. */
function named(element: Element, role: string): Element {
  const control = element instanceof HTMLLabelElement && role !== "generic" && element.control;
  return control && isRestyledInput(control) ? control : element;
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

function optionsOf(nodes: PageFacts["nodes"], index: number): string[] {
  const isOption = (node: PageFacts["nodes"][number]): node is ElementNode =>
    node[0] === index && !isText(node) && node[2] === "option" && !((node[4] ?? 0) & Flag.Control);
  return nodes.filter(isOption).map((node) => node[3] ?? "");
}

function readable(element: Element): string[] {
  const pictures = element.querySelectorAll("[alt],[title],[aria-label]");
  const said = [element, ...pictures].flatMap((part) =>
    ["alt", "title", "aria-label", "placeholder"].map((name) => part.getAttribute(name) ?? ""),
  );
  const drawn = [...element.querySelectorAll("svg > title")].map((title) => title.textContent);
  // biome-ignore lint/performance/useDomNodeTextContent: what is drawn is what is asked for.
  const shown = element instanceof HTMLElement ? element.innerText : (element.textContent ?? "");
  return [shown, ...said, ...drawn, pictureName(element)].filter((words) => words.trim() !== "");
}
