// `hasText`: whether the frame shows a text, without regard to case and runs of
// white space.
import type { HasTextArgs } from "../protocol/generated";
import { page, selectIn } from "./clobbered";
import { isText } from "./lines";
import { isSecret } from "./secrets";
import { Slices } from "./slices";
import { fold } from "./text";
import { walkPage } from "./walked";

export async function hasText(args: HasTextArgs): Promise<boolean> {
  const wanted = normalise(args.text);
  if (!hasWrittenSecret() && normalise(drawnText()).includes(wanted)) return true;
  // Not in there: what shadow roots show, and names that are no text.
  const { nodes } = await walkPage(false, new Slices());
  const shown = nodes.map((node) =>
    isText(node) ? node[1] : `${node[3] ?? ""} ${node[7]?.shows ?? ""}`,
  );
  return normalise(shown.join(" ")).includes(wanted);
}

function drawnText(): string {
  const { root } = page;
  // biome-ignore lint/performance/useDomNodeTextContent: a text that nobody sees is not shown.
  return root instanceof HTMLElement ? root.innerText : "";
}

/** In a part of the page that is written in; the walk leaves it out, the browser doesn't. */
function hasWrittenSecret(): boolean {
  return [...selectIn(document, "[contenteditable]")].some(isSecret);
}

function normalise(text: string): string {
  return fold(text).trim().toLowerCase();
}
