// `stakes`: what a press, Enter or a choice would set off, in the words of the page:
// for whoever judges whether that can be taken back.
import type { Stake, StakesArgs } from "../protocol/generated";
import { findOption, isChosen, nameOfOption, optionsOf } from "./choices";
import { closest, page, parentOf, selectIn } from "./clobbered";
import { isTextField } from "./field";
import { fieldOf } from "./field-kind";
import { asBoolean, theOne, wantedOptions, wantedRadio } from "./fill-check";
import { isOn } from "./fill-held";
import { submitButtonOf } from "./fill-submit";
import { labelsOf } from "./labels";
import { livingElement } from "./numbers";
import { refuseOtherOrigin } from "./origin";
import { nameOf } from "./query-names";
import { toldRole } from "./selectors";
import { AROUND, sentBy } from "./sent-form";
import { focusedElement, isVisible } from "./visibility";

const PRESSED = "button,a[href],input,summary,label,select,option,[role],[onclick],[tabindex]";
const BUTTONS = "button,input[type=submit],input[type=image],[role=button]";
const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";
const MOST_LETTERS = 300;
/** So far around a field Enter may stand for a button. */
const MOST_STEPS = 5;
const MOST_BUTTONS = 10;

export function stakes({ origin, node, by }: StakesArgs): Stake[] {
  refuseOtherOrigin(origin);
  const element = node === undefined ? focusedElement() : livingElement(node);
  // A frame that is focused knows by itself what in it is.
  if (!element || element === page.root || element instanceof HTMLIFrameElement) return [];
  if (by === "press") return [stakeOf(pressed(element))];
  if (by === "enter") return standingFor(element).map(stakeOf);
  return chosen(element, by.fill);
}

/** What would become another by these values: a box, a radio button, options. */
function chosen(element: Element, values: string[]): Stake[] {
  try {
    const field = fieldOf(element);
    switch (field.kind) {
      case "check":
        return isOn(field.element) === asBoolean(theOne(values)) ? [] : [stakeOf(field.element)];
      case "radios": {
        const radio = wantedRadio(field, values);
        return isOn(radio) ? [] : [stakeOf(radio)];
      }
      case "select": {
        const options = wantedOptions(field.element, values);
        return options.filter((option) => !option.selected).map(optionStake);
      }
      case "list":
      case "popup":
      case "typeahead":
        return chosenByName(field.element, values);
      default:
        return [];
    }
  } catch {
    // What can't be filled sets nothing off; why, filling says.
    return [];
  }
}

/** Options that appear only once the list is open go by the words they are asked for with. */
function chosenByName(element: HTMLElement, values: string[]): Stake[] {
  const options = optionsOf(element);
  return values.flatMap((value) => {
    const option = findOption(options, value);
    if (!option) return [{ role: "option", name: cut(value), asked: askedAround(element) }];
    return isChosen(option) ? [] : [optionStake(option)];
  });
}

function optionStake(option: Element): Stake {
  return { role: "option", name: cut(nameOfOption(option)), asked: askedAround(option) };
}

function cut(text: string): string {
  return text.slice(0, MOST_LETTERS);
}

/** Whoever presses a part of a control presses the control. */
function pressed(element: Element): Element {
  const around = closest(element, PRESSED) ?? element;
  return around instanceof HTMLLabelElement ? (around.control ?? around) : around;
}

/** What Enter would set off. */
function standingFor(element: Element): Element[] {
  const takesText =
    isTextField(element) || (element instanceof HTMLElement && element.isContentEditable);
  if (!takesText) return [pressed(element)];
  const submit = element instanceof HTMLElement ? submitButtonOf(element) : undefined;
  return submit ? [submit] : buttonsAround(element);
}

/** A page's own way of sending what was written: the nearest buttons. */
function buttonsAround(element: Element): Element[] {
  let around = parentOf(element);
  for (let step = 0; around && step < MOST_STEPS; step += 1) {
    const buttons = [...selectIn(around, BUTTONS)].filter(isVisible);
    if (buttons.length > 0) return buttons.slice(0, MOST_BUTTONS);
    around = parentOf(around);
  }
  return [];
}

function stakeOf(element: Element): Stake {
  const tag = element.localName;
  const role = toldRole(element, tag);
  const stake = {
    role: role || "generic",
    name: wordsOf(element, role),
    asked: askedAround(element),
  };
  const form = sentBy(element);
  return form ? { ...stake, form } : stake;
}

function wordsOf(element: Element, role: string): string {
  const named = nameOf(element, element.localName, role, labelsOf);
  // biome-ignore lint/performance/useDomNodeTextContent: what nobody sees does not count.
  const shown = named || (element instanceof HTMLElement ? element.innerText : "");
  return cut(shown);
}

/** The question that it answers: of the dialog around it, or the heading before it. */
function askedAround(element: Element): string {
  const dialog = closest(element, AROUND);
  // biome-ignore lint/performance/useDomNodeTextContent: what nobody sees does not count.
  if (dialog instanceof HTMLElement) return cut(dialog.innerText);
  const before = [...selectIn<HTMLElement>(element.getRootNode(), HEADINGS)].filter(
    (heading) =>
      (heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
      isVisible(heading),
  );
  // biome-ignore lint/performance/useDomNodeTextContent: what nobody sees does not count.
  return cut(before.at(-1)?.innerText ?? "");
}
