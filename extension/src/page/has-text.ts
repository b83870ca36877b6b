// `hasText`: whether the frame shows a text, without regard to case and runs of
// white space.
import type { HasTextArgs } from "../protocol/generated";
import { page } from "./clobbered";
import { isText } from "./lines";
import { Slices } from "./slices";
import { fold } from "./text";
import { walkPage } from "./walked";

export async function hasText(args: HasTextArgs): Promise<boolean> {
  const wanted = normalise(args.text);
  const { root } = page;
  // biome-ignore lint/performance/useDomNodeTextContent: a text that nobody sees is not shown.
  const text = root instanceof HTMLElement ? root.innerText : "";
  if (normalise(text).includes(wanted)) return true;
  // Not in there: what shadow roots show, and names that are no text.
  const { nodes } = await walkPage(false, new Slices());
  const shown = nodes.map((node) => (isText(node) ? node[1] : (node[3] ?? "")));
  return normalise(shown.join(" ")).includes(wanted);
}

function normalise(text: string): string {
  return fold(text).trim().toLowerCase();
}
