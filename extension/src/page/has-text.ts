// `hasText`: whether the frame shows a text, without regard to case and runs of
// white space.
import type { HasTextArgs } from "../protocol/generated";
import { isText } from "./lines";
import { Slices } from "./slices";
import { fold } from "./text";
import { walkPage } from "./walked";

export async function hasText({ text }: HasTextArgs): Promise<boolean> {
  const wanted = normalise(text);
  // biome-ignore lint/performance/useDomNodeTextContent: a text that nobody sees is not shown.
  if (normalise(document.body?.innerText ?? "").includes(wanted)) return true;
  // Not in there: what shadow roots show, and names that are no text.
  const { nodes } = await walkPage(false, new Slices());
  const shown = nodes.map((node) => (isText(node) ? node[1] : (node[3] ?? "")));
  return normalise(shown.join(" ")).includes(wanted);
}

function normalise(text: string): string {
  return fold(text).trim().toLowerCase();
}
