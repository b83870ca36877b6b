// Sliders and spin buttons of a page's own making, which say what they hold in
// `aria-valuenow` and are set with keys. What a key does is up to the page, so it
// is seen from what it did: pressed once, and then as often as is needed.
import { Refused } from "../protocol/refused";

export type StepKey = keyof typeof ASSUMED;

/** What is known of an element's keys. */
interface Trials {
  /** What each key added. */
  added: Map<StepKey, number>;
  last?: { key: StepKey; times: number; value: number };
}

/** Which way a key leads in most pages. */
const ASSUMED = {
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 1,
  End: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageDown: -1,
  Home: -1,
};
const ARROWS: StepKey[] = ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"];
const PAGES: StepKey[] = ["PageUp", "PageDown"];
/** So many arrows are worth looking for a key that does more. */
const MANY = 12;
const MOST_PRESSES = 100;
/** How long a page may take to show what a key did. */
const EFFECT_MS = 200;
/** Values are added up by pages, in numbers that are not exact. */
const CLOSE = 1e-9;

const trials = new WeakMap<Element, Trials>();

export type NextStep =
  | { do: "nothing" }
  | { do: "wait" }
  | { do: "keys"; key: StepKey; times: number };

export function isStepped(element: HTMLElement): boolean {
  const role = element.getAttribute("role");
  return (role === "slider" || role === "spinbutton") && !element.isContentEditable;
}

export function valueNow(element: Element): number {
  const value = element.getAttribute("aria-valuenow") ?? "";
  return value.trim() === "" ? Number.NaN : Number(value);
}

export function isAt(element: Element, value: number): boolean {
  return Math.abs(valueNow(element) - value) < CLOSE;
}

/** The value that is asked for, if the element could have it. */
export function steppedValue(element: Element, text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) {
    throw new Refused("invalid_arguments", "The value must be a number.");
  }
  if (element.getAttribute("aria-readonly") === "true") {
    throw new Refused("disabled", "The field is read-only.");
  }
  if (!Number.isFinite(valueNow(element))) {
    throw new Refused(
      "not_editable",
      "The element does not say which value it has. Use browser_press_key or browser_drag, and look.",
    );
  }
  const [least, most] = [edge(element, "aria-valuemin"), edge(element, "aria-valuemax")];
  if (value < (least ?? value) || value > (most ?? value)) {
    throw new Refused(
      "invalid_arguments",
      `The value is beyond what the element takes: from ${least ?? "any"} to ${most ?? "any"}.`,
    );
  }
  return value;
}

/** The keys to press next. `isFirst`: none was pressed yet for this value. */
export function nextKeys(
  element: Element,
  value: number,
  { isFirst, waitedMs }: { isFirst: boolean; waitedMs: number },
): NextStep {
  const tried: Trials = (!isFirst && trials.get(element)) || { added: new Map() };
  trials.set(element, tried);
  if (isAt(element, value)) return { do: "nothing" };
  const now = valueNow(element);
  const { last } = tried;
  if (last) {
    if (now === last.value && waitedMs < EFFECT_MS) return { do: "wait" };
    tried.added.set(last.key, (now - last.value) / last.times);
  }
  const next = chooseKeys(element, value, tried);
  tried.last = { ...next, value: now };
  return { do: "keys", ...next };
}

function chooseKeys(
  element: Element,
  value: number,
  { added }: Trials,
): { key: StepKey; times: number } {
  const isUntried = (key: StepKey) => !added.has(key);
  const isTowards = (key: StepKey) => ASSUMED[key] === Math.sign(distance);
  const distance = value - valueNow(element);
  if (value === edge(element, "aria-valuemin") && isUntried("Home"))
    return { key: "Home", times: 1 };
  if (value === edge(element, "aria-valuemax") && isUntried("End")) return { key: "End", times: 1 };
  const fitting = [...added].filter(
    ([key, step]) =>
      key !== "Home" &&
      key !== "End" &&
      Math.sign(step) === Math.sign(distance) &&
      Math.abs(step) <= Math.abs(distance) + CLOSE,
  );
  const [best] = fitting.toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  const page = PAGES.find((key) => isUntried(key) && isTowards(key));
  if (best) {
    const times = Math.floor(distance / best[1] + CLOSE);
    if (times > MANY && page) return { key: page, times: 1 };
    return { key: best[0], times: Math.min(times, MOST_PRESSES) };
  }
  const leadsThere = (key: StepKey) => Math.sign(added.get(key) ?? 0) === Math.sign(distance);
  const arrow = ARROWS.find((key) => isUntried(key) && isTowards(key));
  // Once one leads there, another does no more than that.
  if (arrow && !ARROWS.some(leadsThere)) return { key: arrow, times: 1 };
  throw new Refused(
    "not_editable",
    "Keys don't bring the element to that value. It may only take some values: try one of those, or drag it with browser_drag.",
  );
}

function edge(element: Element, name: string): number | undefined {
  const text = element.getAttribute(name);
  const value = Number(text);
  return text === null || text.trim() === "" || !Number.isFinite(value) ? undefined : value;
}
