// Gathers the name of a control from its content, while the walk is in it.
import { clean, fold, isBlank, LONGEST_NAME } from "./text";

export interface Naming {
  /** Of what is named. */
  role: string;
  /** What is named can't be seen, nor can what names it. */
  isOfHidden: boolean;
  /** Text without what the page hides from screen readers. */
  spoken: string;
  /** Everything a person sees. */
  seen: string;
  /** Something of it can be read, and not only a picture be seen. */
  hasWords: boolean;
}

export function emptyNaming(role = "", isOfHidden = false): Naming {
  return { role, isOfHidden, spoken: "", seen: "", hasWords: false };
}

export function addText(naming: Naming, text: string): void {
  naming.hasWords ||= !isBlank(text);
  gather(naming, text);
}

export function addBlank(naming: Naming): void {
  addText(naming, " ");
}

/** The name of a part that has one of its own: a control in a control. */
export function addPart(naming: Naming, name: string): void {
  if (name) addText(naming, ` ${name} `);
}

export function addPicture(naming: Naming, name: string): void {
  if (name) gather(naming, ` ${name} `);
}

/** What a screen reader would say; what a person sees, if it would say nothing. */
export function contentName({ spoken, seen }: Naming): string {
  return clean(spoken) || clean(seen);
}

/** What no name has room for is not gathered, or nested controls would pile it up. */
function gather(naming: Naming, text: string): void {
  if (naming.seen.length > LONGEST_NAME) return;
  const words = text.length > LONGEST_NAME ? fold(text).slice(0, LONGEST_NAME + 1) : text;
  naming.spoken += words;
  naming.seen += words;
}
