// What each control was called when the page was last told. Whoever clicks means
// the label that they read: a control that is called something else by now is
// not pressed.
import type { ElementArgs, ElementNode, PageFacts } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { isText } from "./lines";
import { numberOf } from "./numbers";
import { selectAll } from "./selectors";
import { Walk } from "./walk";

/** The content of a control with more in it than this is not its label. */
const MOST_ELEMENTS = 300;

interface Told {
  name: string;
  /** By a look at what is hidden too: parts that can't be seen may have made it another. */
  includesHidden: boolean;
}

const told = new Map<number, Told>();
/** What was called something else before, until it is said whether the new name was told. */
const earlier = new Map<number, Told>();

/** All of the page: what is not there any more is forgotten. */
export function rememberNames(
  nodes: PageFacts["nodes"],
  isAll: boolean,
  includesHidden: boolean,
): void {
  const before = new Map(told);
  if (isAll) told.clear();
  for (const node of nodes) remember(node, includesHidden);
  for (const [number, was] of before) {
    const name = told.get(number)?.name ?? was.name;
    if (name !== was.name && !earlier.has(number)) earlier.set(number, was);
  }
}

/** Of the looks so far all was told but of some elements, so that the names before still hold. */
export function judgeNewNames({ node, untold = [], toldName }: ElementArgs): void {
  const left = new Set(untold);
  for (const number of earlier.keys()) if (!left.has(number)) earlier.delete(number);
  const was =
    toldName === undefined ? earlier.get(node) : { name: toldName, includesHidden: false };
  if (was) told.set(node, was);
  // Whoever is refused by it knows the new one.
  earlier.delete(node);
}

/** Of a look of which only a part is told, and which part nobody knows here. */
export function rememberNewNames(nodes: PageFacts["nodes"], includesHidden: boolean): void {
  for (const node of nodes) {
    if (!isText(node) && !told.has(node[5] ?? 0)) remember(node, includesHidden);
  }
}

function remember(node: PageFacts["nodes"][number], includesHidden: boolean): void {
  if (!isText(node) && node[5]) told.set(node[5], { name: calledIn(node), includesHidden });
}

export function refuseRelabelled(element: Element): void {
  const number = numberOf(element);
  const before = told.get(number);
  if (before === undefined || selectAll(element, "*").length > MOST_ELEMENTS) return;
  const { name, includesHidden } = before;
  const now = nameNow(element, number, includesHidden);
  if (now === undefined || isSameLabel(name, now)) return;
  // Whoever reads the refusal knows the new one.
  told.set(number, { name: now, includesHidden });
  throw new Refused(
    "changed",
    "The element is called something else now than when you looked, so nothing was done. Its new name is below; if you still mean it, do it again.",
    { by: now || "(no name)" },
  );
}

/** As the page would be told now; undefined if it would not tell of it at all. */
function nameNow(element: Element, number: number, includesHidden: boolean): string | undefined {
  const walk = new Walk(includesHidden, element);
  walk.advance(() => false);
  for (const node of walk.nodes()) {
    if (!isText(node) && node[5] === number) return calledIn(node);
  }
  return undefined;
}

/** What has no name is called by the words that it shows. */
function calledIn([, , , name = "", , , , state]: ElementNode): string {
  return name || (state?.shows ?? "");
}

/** Counters and clocks in a label don't make it another; an amount of money does. */
export function isSameLabel(one: string, other: string): boolean {
  if (one === other) return true;
  if (/[\p{Sc}%]/u.test(one + other)) return false;
  const plain = (label: string) => label.replace(/[\p{Nd}.,:]+/gu, "0");
  return plain(one) === plain(other);
}
