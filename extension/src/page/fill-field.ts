// `fillFields`: puts values into fields as far as a page script can, and says
// which real input is needed next: a press, or text to insert. Asked again after
// each input, until nothing is left to do.
import type { Refusal } from "../protocol/generated";
import { Refused, refusalOf } from "../protocol/refused";
import { findOption, isChosen, noSuchOption, optionsOf } from "./choices";
import { closest, matches } from "./clobbered";
import { isTextField } from "./field";
import { type Field, fieldOf } from "./field-kind";
import {
  asBoolean,
  type CheckArgs,
  pressableOf,
  theOne,
  type Wanted,
  wantedOptions,
  wantedRadio,
  writtenAs,
} from "./fill-check";
import { heldBy, holds, isOn, showsOption } from "./fill-held";
import { type NextStep, nextKeys, steppedValue } from "./fill-steps";
import { focusForText } from "./focus";
import { pressSoFar } from "./guard";
import { insertInto, isAsTyped } from "./insertion";
import { hadTurn, prepareAtOnce, prepareElement, type Ready, usableElement } from "./prepare";
import { focusedElement } from "./visibility";
import { watchDom } from "./watch";

export interface FillArgs extends Wanted {
  origin: string;
  choose: boolean;
  /** Inputs made for this field so far. */
  inputs: number;
  /** How long it was waited since the last one. */
  waitedMs: number;
}

export type FillStep = { do: "insert"; text: string } | ({ do: "press" } & Ready) | NextStep;

/** Which of several fields to go on with. */
export interface FillAllArgs extends CheckArgs {
  at: number;
  inputs: number;
  waitedMs: number;
}

export interface FillProgress {
  /** The field that needs real input; past the last one when all is done. */
  at: number;
  step: FillStep;
  /** Fields that could not be filled on the way, and why. */
  refusals: [at: number, refusal: Refusal][];
  /** The page was told of some value by events that are not the browser's. */
  byScript?: true;
}

const NOTHING: FillStep = { do: "nothing" };
const WAIT: FillStep = { do: "wait" };
/** How long a list may take to open, and options to appear for typed text. */
const LIST_OPENS_MS = 1_000;
const OPTIONS_APPEAR_MS = 150;
/** How often a box is pressed that was elsewhere when the press came. */
const MOST_PRESSES = 3;

/** Events of ours told the page of a value. */
let hasTold = false;

export async function fillFields(args: FillAllArgs): Promise<FillProgress> {
  const { origin, choose, fields } = args;
  const refusals: FillProgress["refusals"] = [];
  let { at, inputs, waitedMs } = args;
  hasTold = false;
  const soFar = (step: FillStep): FillProgress => ({
    at,
    step,
    refusals,
    ...(hasTold && { byScript: true }),
  });
  for (const wanted of fields.slice(at)) {
    try {
      const step = await fillField({ ...wanted, origin, choose, inputs, waitedMs });
      if (step.do !== "nothing") return soFar(step);
    } catch (error) {
      refusals.push([at, refusalOf(error)]);
    }
    at += 1;
    inputs = 0;
    waitedMs = 0;
  }
  return soFar(NOTHING);
}

export async function fillField(args: FillArgs): Promise<FillStep> {
  const { node, origin, values, inputs } = args;
  const field = fieldOf(usableElement({ node, origin, clear: false }));
  watchDom(field.element);
  switch (field.kind) {
    case "text":
      return inputs === 0 ? insert(field, args, theOne(values)) : NOTHING;
    case "typeahead":
      return inputs === 0 ? insert(field, args, theOne(values)) : chooseTyped(field, args);
    case "value":
      return setValue(field.element, writtenAs(field.element, theOne(values)));
    case "select":
      return setOptions(field.element, wantedOptions(field.element, values));
    case "check": {
      const wanted = asBoolean(theOne(values));
      return tick(pressableOf(field), inputs, () => isOn(field.element) === wanted);
    }
    case "radios": {
      const radio = wantedRadio(field, values);
      return tick(pressableOf(fieldOf(radio)), inputs, () => isOn(radio));
    }
    case "stepped":
      return stepTo(field.element, args);
    case "list":
      return chooseInList(field.element, args);
    case "popup":
      return chooseInPopup(field, args);
    case "file":
      return NOTHING;
  }
}

async function stepTo(
  element: HTMLElement,
  { values, inputs, waitedMs }: FillArgs,
): Promise<FillStep> {
  const value = steppedValue(element, theOne(values));
  const step = nextKeys(element, value, { isFirst: inputs === 0, waitedMs });
  if (step.do !== "keys" || focusedElement() === element) return step;
  await prepareElement(element, "focus");
  element.focus({ preventScroll: true });
  if (focusedElement() !== element) {
    throw new Refused("not_editable", "The element does not take the focus, and so no keys.");
  }
  return step;
}

async function press(element: HTMLElement): Promise<FillStep> {
  return { do: "press", ...(await prepareElement(element, "press")) };
}

/**
 * Presses a box at once where the page had its turn. What the fields before it began
 * may still move it; the press is stopped then, and made again after a turn.
 */
async function tick(
  box: HTMLElement,
  inputs: number,
  isAsWanted: () => boolean,
): Promise<FillStep> {
  if (isAsWanted()) return NOTHING;
  if (inputs === 0 && hadTurn() && window === top) {
    return { do: "press", ...(await prepareAtOnce(box, "press")) };
  }
  if (inputs > 0 && (inputs >= MOST_PRESSES || pressSoFar() !== "stopped")) return NOTHING;
  const step = await press(box);
  // It may have come about while the page had its turn.
  return isAsWanted() ? NOTHING : step;
}

async function insert(field: Field, args: FillArgs, text: string): Promise<FillStep> {
  const { node, origin, values } = args;
  // No trip to the debugger is needed then, on which the focus could go elsewhere.
  const element = field.kind === "text" && isTextField(field.element) ? field.element : undefined;
  const isForScript = () => element !== undefined && isAsTyped(element, text);
  const atOnce = hadTurn() && isForScript();
  await focusForText({ node, origin, clear: true, atOnce });
  // With nothing in it and nothing to come, not even a key is needed.
  if (text === "" && heldBy(field) === "") return NOTHING;
  if (element && isForScript()) {
    insertInto(element, text);
    hasTold = true;
    if (holds(field, { values })) return NOTHING;
    await focusForText({ node, origin, clear: true });
  } else if (atOnce) {
    await focusForText({ node, origin, clear: true });
  }
  return { do: "insert", text };
}

function setValue(input: HTMLInputElement, value: string): FillStep {
  if (input.value === value) return NOTHING;
  input.focus({ preventScroll: true });
  input.value = value;
  tellChange(input);
  return NOTHING;
}

function setOptions(select: HTMLSelectElement, wanted: HTMLOptionElement[]): FillStep {
  const options = [...select.options];
  if (options.every((option) => option.selected === wanted.includes(option))) return NOTHING;
  select.focus({ preventScroll: true });
  if (select.multiple) {
    for (const option of options) option.selected = wanted.includes(option);
  } else {
    for (const option of wanted) option.selected = true;
  }
  tellChange(select);
  return NOTHING;
}

/** What the browser tells a page after its own popup was used. */
function tellChange(field: HTMLElement): void {
  hasTold = true;
  field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** One press a call: on an option that is to be chosen, or no longer. */
async function chooseInList(list: HTMLElement, { values, inputs }: FillArgs): Promise<FillStep> {
  const options = optionsOf(list);
  const wanted = values.map((value) => findOption(options, value));
  const isSeveral = list.getAttribute("aria-multiselectable") === "true";
  const next = options.find(
    (option) =>
      isChosen(option) !== wanted.includes(option) && (isSeveral || wanted.includes(option)),
  );
  // A list that doesn't say what is chosen is pressed once for each value.
  return next && inputs < options.length ? press(next) : NOTHING;
}

/** Values whose options were pressed already, by the button that opens their list. */
const pressed = new WeakMap<Element, Set<string>>();

/**
 * What is selected in an open list may only be what the keyboard is at, so what
 * was pressed is remembered, and not asked for.
 */
async function chooseInPopup(field: Field, args: FillArgs): Promise<FillStep> {
  const { values, inputs, waitedMs } = args;
  const { element } = field;
  if (values.every((value) => showsOption(element, value))) return NOTHING;
  const done = (inputs > 0 && pressed.get(element)) || new Set<string>();
  pressed.set(element, done);
  const next = values.find((value) => !done.has(value));
  if (next === undefined) return NOTHING;
  const options = optionsOf(element);
  const option = findOption(options, next);
  if (option) {
    done.add(next);
    return press(option);
  }
  // Closed at first, or again after the option before.
  if (options.length === 0 && inputs <= 2 * done.size) return press(pressableOf(field));
  if (waitedMs < LIST_OPENS_MS) return WAIT;
  throw noSuchOption(options);
}

/** Text was typed; if the page offers just that as an option, it is taken. */
async function chooseTyped(field: Field, args: FillArgs): Promise<FillStep> {
  const { values, inputs, waitedMs, choose } = args;
  if (inputs > 1 || (isForSearching(field) && !choose)) return NOTHING;
  const options = optionsOf(field.element);
  const option = findOption(options, theOne(values));
  if (option) return press(option);
  if (waitedMs < (choose ? LIST_OPENS_MS : OPTIONS_APPEAR_MS)) return WAIT;
  if (choose) throw noSuchOption(options);
  return NOTHING;
}

/** There an option is a search that begins at once. */
function isForSearching({ element }: Field): boolean {
  return matches(element, "[type=search]") || closest(element, "search,[role=search]") !== null;
}
