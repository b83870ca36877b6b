// Keeps selectors from spelling out a secret: whether `[value^=a]` finds a
// field says how its value begins. Most pages keep what is typed out of their
// attributes; where one doesn't, those attributes can't be asked for.
import { Refused } from "../protocol/refused";
import { isSecret } from "./secrets";
import { rootsIn, selectAll } from "./selectors";

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Ways of XPath to any attribute, whatever its name. */
const ANY_ATTRIBUTE = /@\s*(\*|node)|attribute\s*::/;

export function refuseSpelling(selector: string): void {
  if (!/[[@]|attribute/i.test(selector)) return;
  const asked = plainly(selector);
  const names = attributesWithSecrets();
  const asksFor = (name: string) => asked.includes(name) || ANY_ATTRIBUTE.test(asked);
  if (![...names].some(asksFor)) return;
  throw new Refused(
    "not_allowed",
    "A secret field of this page keeps its value in an attribute, so no selector may ask for that attribute. Select by other attributes, by role or by text.",
  );
}

function attributesWithSecrets(): Set<string> {
  const names = new Set<string>();
  for (const root of rootsIn(document)) {
    for (const field of selectAll(root, "input,select,textarea")) {
      if (isSecret(field)) for (const name of telltales(field as Field)) names.add(name);
    }
  }
  return names;
}

function telltales(field: Field): string[] {
  return field.getAttributeNames().filter((name) => {
    const said = field.getAttribute(name);
    return said && (name === "value" || (field.value !== "" && said.includes(field.value)));
  });
}

/** Without comments and escapes, which could hide a name. */
function plainly(selector: string): string {
  return selector
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => letterOf(Number.parseInt(code, 16)))
    .replace(/\\(.)/gs, "$1")
    .toLowerCase();
}

function letterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
