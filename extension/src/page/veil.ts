// `veil`: dots in place of what secret fields show, for as long as a picture is
// taken. A password that the page shows is for the person in front of it.
import { isEditingHost } from "./controls";
import { isTextField } from "./field";
import { FIELDS, heldBy, isSecret } from "./secrets";
import { rootsIn, selectAll } from "./selectors";

type Field = HTMLElement & { type?: string };

const VEILS: [property: string, value: string][] = [["-webkit-text-security", "disc"]];
/** What has no letters to be made dots of is not shown at all. */
const WHOLE_VEILS: [property: string, value: string][] = [
  ["visibility", "hidden"],
  ["transition", "none"],
];

/** What each veiled field said of itself before. */
const veiled = new Map<Field, string | null>();

/** Answers how many fields are veiled now. */
export function veil(isOn: boolean): number {
  lift();
  if (!isOn) return 0;
  for (const root of rootsIn(document)) {
    for (const element of selectAll(root, FIELDS)) {
      const field = element as Field;
      if (isSecret(field) && showsItself(field)) cover(field);
    }
  }
  return veiled.size;
}

/** The browser shows a password as dots by itself. */
function showsItself(field: Field): boolean {
  return field.type !== "password" && field.type !== "hidden" && heldBy(field) !== "";
}

function cover(field: Field): void {
  veiled.set(field, field.getAttribute("style"));
  const hasLetters = isTextField(field) || isEditingHost(field);
  const veils = hasLetters ? VEILS : WHOLE_VEILS;
  for (const [property, value] of veils) field.style.setProperty(property, value, "important");
}

function lift(): void {
  for (const [field, style] of veiled) {
    // Written first: Chrome leaves an empty attribute where one was never read.
    field.setAttribute("style", style ?? "");
    if (style === null) field.removeAttribute("style");
  }
  veiled.clear();
}
