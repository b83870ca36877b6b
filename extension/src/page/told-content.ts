// What came of an element's content: nothing but text, nothing but controls, or
// neither. Decides whether a clickable part of the page is told by its text.
import { Flag, type PageFacts } from "../protocol/generated";
import { isText } from "./lines";
import { clean } from "./names";

export interface Content {
  text: string;
  isTextOnly: boolean;
  isControlsOnly: boolean;
}

/** Nodes without structure of their own: their text can stand alone. */
const PLAIN = new Set(["", "paragraph"]);

export function contentAfter(nodes: PageFacts["nodes"], index: number): Content {
  let text = "";
  let isTextOnly = true;
  let hasControls = false;
  for (const node of nodes.slice(index + 1)) {
    if (isText(node)) {
      text += node[1];
      continue;
    }
    const [, , role, name = "", flags = 0] = node;
    if (flags & Flag.Control) hasControls = true;
    else if (role === "img") text += ` ${name} `;
    else if (PLAIN.has(role)) text += " ";
    else isTextOnly = false;
  }
  const told = clean(text);
  return {
    text: told,
    isTextOnly: isTextOnly && !hasControls,
    isControlsOnly: hasControls && told === "",
  };
}
