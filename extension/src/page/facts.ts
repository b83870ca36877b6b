// `facts`: everything worth knowing of one frame, after one walk, as one flat
// string. (As an object it would cost three times the walk on its way out.)
import type { FactsArgs, PageFacts } from "../protocol/generated";
import { page } from "./clobbered";
import { pathOfFrame } from "./frames";
import { livingElement } from "./numbers";
import { Slices } from "./slices";
import { noteTold } from "./spared";
import { rememberNames, rememberNewNames } from "./told-names";
import { walkPage } from "./walked";

/** So many nodes are written in one go. */
const NODES_A_PIECE = 5_000;
/** Letters, whose copying takes a good part of a slice. */
const LONG_TEXT = 1_000_000;

export async function facts(args: Partial<FactsArgs> | null): Promise<string> {
  const inPart = args?.inPart ?? false;
  const slices = new Slices();
  const { text, nodes } = await readPage(args, slices, inPart ? undefined : noteTold);
  const includesHidden = args?.includeHidden ?? false;
  await slices.breathe();
  if (inPart) rememberNewNames(nodes, includesHidden);
  else rememberNames(nodes, args?.root === undefined, includesHidden);
  // The browser copies it in one go.
  if (text.length > LONG_TEXT) await slices.pause();
  return text;
}

/** The facts, of which nothing is remembered, except that all is told: by `number`. */
export async function readPage(
  args: Partial<FactsArgs> | null,
  slices: Slices,
  number?: () => number,
): Promise<{ text: string; nodes: PageFacts["nodes"] }> {
  const walked = await walkPage(args?.includeHidden ?? false, slices, rootOf(args));
  const root = page.documentElement;
  const told: PageFacts = {
    url: location.href,
    origin: location.origin,
    title: page.title,
    viewport: [innerWidth, innerHeight],
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    extent: [root?.scrollWidth ?? 0, root?.scrollHeight ?? 0],
    nodes: [],
  };
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (navigation?.responseStatus) told.status = navigation.responseStatus;
  if (page.contentType === "application/pdf") told.isPdf = true;
  const path = pathOfFrame();
  if (path) told.path = path;
  if (walked.isChanging) told.changing = true;
  else if (number && !args?.includeHidden && args?.root === undefined) told.walk = number();
  if (walked.omittedLetters > 0) told.omittedLetters = walked.omittedLetters;
  return { text: await written(told, walked.nodes, slices), nodes: walked.nodes };
}

/** The element that is asked for, if it is not all of the page. */
function rootOf(args: Partial<FactsArgs> | null): Element | undefined {
  return args?.root === undefined ? undefined : livingElement(args.root);
}

/** In pieces: on a large page writing takes as long as a slice. */
async function written(
  told: PageFacts,
  nodes: PageFacts["nodes"],
  slices: Slices,
): Promise<string> {
  const pieces: string[] = [];
  for (let start = 0; start < nodes.length; start += NODES_A_PIECE) {
    await slices.breathe();
    pieces.push(JSON.stringify(nodes.slice(start, start + NODES_A_PIECE)).slice(1, -1));
  }
  const around = JSON.stringify({ ...told, nodes: undefined }).slice(0, -1);
  return `${around},"nodes":[${pieces.join()}]}`;
}
