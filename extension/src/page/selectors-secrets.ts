// Keeps selectors from spelling out a secret: whether `[value^=a]` finds a
// field says how its value begins. Most pages keep what is typed out of their
// attributes; where one doesn't, those attributes can't be asked for.
import { Refused } from "../protocol/refused";
import { FIELDS, heldBy, isSecret } from "./secrets";
import { findRoots, selectAll } from "./selectors";
import type { Sliced } from "./sliced";

/** Stands for what is written in a text area, or in a part of the page. */
const TEXT = "text()";
/** Stands for what is chosen of a list: options of it are never found, but what holds one is. */
const CHOICE = "selected";

/** Ways of XPath to any attribute, whatever its name. */
const ANY_ATTRIBUTE = /@\s*(\*|node)|attribute\s*::/;
/** What a name can hide behind in CSS. */
const DISGUISES = /\\|\/\*/;
const OPERAND = String.raw`("[^"]*"|'[^']*'|\d+)`;
const ATTRIBUTE = String.raw`@[\w:-]+(\s*(!?=|[<>]=?)\s*${OPERAND})?`;
const PATH = String.raw`[a-z_][\w-]*(\/{1,2}[a-z_][\w-]*)*`;
/** Parts of XPath in brackets that ask for a number, for attributes or for what is there. */
const TEXTLESS = new RegExp(
  String.raw`\[\s*(\d+|${PATH}|${ATTRIBUTE}(\s+(and|or)\s+${ATTRIBUTE})*)\s*\]`,
  "g",
);
/** Ways of XPath to the text of an element; in brackets a bare name may be compared too. */
const ANY_TEXT = /[.([]/;

export function* refuseSpelling(selector: string, isXPath: boolean): Sliced<void> {
  const asked = selector.toLowerCase();
  if (!isXPath && !/[[:]/.test(asked)) return;
  const names = [...(yield* attributesWithSecrets())];
  if (names.length === 0) return;
  const isAsked = isXPath
    ? ANY_ATTRIBUTE.test(asked) || (names.includes(TEXT) && asksForText(asked))
    : asked.includes("[") && DISGUISES.test(asked);
  const attributes = names.filter((name) => name !== CHOICE && name !== TEXT);
  const isNamed = asked.includes("[") && attributes.some((name) => asked.includes(name));
  const isOfChoice = names.includes(CHOICE) && asksForChoice(asked, isXPath);
  if (!isAsked && !isNamed && !isOfChoice) return;
  throw new Refused(
    "not_allowed",
    "A secret field of this page keeps its value where this selector could ask for it. Select by tag, class, id, role or text.",
  );
}

function* attributesWithSecrets(): Sliced<Set<string>> {
  const names = new Set<string>();
  for (const root of yield* findRoots(document)) {
    for (const field of selectAll(root, FIELDS)) {
      if (isSecret(field)) for (const name of telltales(field)) names.add(name);
      yield;
    }
  }
  return names;
}

function telltales(field: Element): string[] {
  const held = heldBy(field);
  const names = field.getAttributeNames().filter((name) => {
    const said = field.getAttribute(name);
    return said && (name === "value" || (held !== "" && said.includes(held)));
  });
  if (field instanceof HTMLSelectElement) return [...names, CHOICE];
  return field.textContent === "" ? names : [...names, TEXT];
}

/** In CSS only what is in brackets can go by what an element holds. */
function asksForChoice(asked: string, isXPath: boolean): boolean {
  if (isXPath) return /@\s*selected\b/.test(asked);
  if (asked.includes("(") && DISGUISES.test(asked)) return true;
  return asked.includes(":has") && /:(checked|default)|\[\s*selected/.test(asked);
}

function asksForText(xpath: string): boolean {
  return ANY_TEXT.test(xpath.replace(TEXTLESS, ""));
}
