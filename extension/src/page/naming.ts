// Gathers the name of a control from its content, while the walk is in it.
import { clean, fold, isBlank, LONGEST_NAME } from "./text";

export interface Naming {
  /** Of what is named. */
  role: string;
  /** What is named can't be seen, nor can what names it. */
  isOfHidden: boolean;
  /** Text without what the page hides from screen readers. */
  spoken: string;
  /** Everything a person can read. */
  seen: string;
  /** What the pictures are called that a person sees. */
  pictures: string;
  /** Something can be read that is no part of the name, by what it stands in. */
  isPartial: boolean;
}

export function emptyNaming(role = "", isOfHidden = false): Naming {
  return { role, isOfHidden, spoken: "", seen: "", pictures: "", isPartial: false };
}

export function addText(naming: Naming, text: string): void {
  naming.spoken = longer(naming.spoken, text);
  naming.seen = longer(naming.seen, text);
}

export function addBlank(naming: Naming): void {
  addText(naming, " ");
}

/** The name of a part that has one of its own: a control in a control. */
export function addPart(naming: Naming, name: string): void {
  if (name) addText(naming, ` ${name} `);
}

export function addPicture(naming: Naming, name: string): void {
  if (!name) return;
  naming.spoken = longer(naming.spoken, ` ${name} `);
  naming.pictures = longer(naming.pictures, ` ${name} `);
}

/** What a person sees of a part that a screen reader says nothing of. */
export function addUnspoken(naming: Naming, part: Naming): void {
  naming.seen = longer(naming.seen, part.seen);
  naming.pictures = longer(naming.pictures, part.pictures);
  naming.isPartial ||= part.isPartial;
}

/** What a screen reader would say. */
export function spokenName({ spoken }: Naming): string {
  return clean(spoken);
}

/** What a person sees: the words, or what the pictures are called if there are none. */
export function shownName(naming: Naming): string {
  return clean(naming.seen) || clean(naming.pictures);
}

export function hasWords({ seen }: Naming): boolean {
  return !isBlank(seen);
}

/** What no name has room for is not gathered, or nested controls would pile it up. */
function longer(gathered: string, text: string): string {
  if (gathered.length > LONGEST_NAME) return gathered;
  return gathered + (text.length > LONGEST_NAME ? fold(text).slice(0, LONGEST_NAME + 1) : text);
}
