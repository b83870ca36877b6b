// Gathers the name of a control from its content, while the walk is in it.
import { clean, fold, isBlank, LONGEST_NAME } from "./text";

/** With white space that is drawn as one blank. */
const MOST_GATHERED = 4 * LONGEST_NAME;

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
  room: Room;
}

/** What is gathered for one name, in all its parts. */
interface Room {
  /** Letters of text. */
  left: number;
}

export function emptyNaming(role = "", isOfHidden = false, letters = LONGEST_NAME): Naming {
  const room = { left: letters };
  return { role, isOfHidden, spoken: "", seen: "", pictures: "", isPartial: false, room };
}

/** A part of a name that a screen reader says nothing of. */
export function unspokenPart({ role, isOfHidden, room }: Naming): Naming {
  return { ...emptyNaming(role, isOfHidden), room };
}

/** Whether a text has room in the name. From the first one on that has none, all else is told for itself. */
export function hasRoom({ room }: Naming, text: string): boolean {
  // With the blank that parts it from the next one.
  const letters = isBlank(text) ? 0 : text.trim().length + 1;
  const fits = letters < room.left;
  room.left = fits ? room.left - letters : 0;
  return fits;
}

export function isFull({ room }: Naming): boolean {
  return room.left <= 0;
}

export function addText(naming: Naming, text: string): void {
  naming.spoken = longer(naming.spoken, text);
  naming.seen = longer(naming.seen, text);
}

export function addBlank(naming: Naming): void {
  if (!naming.spoken.endsWith(" ")) naming.spoken = longer(naming.spoken, " ");
  if (!naming.seen.endsWith(" ")) naming.seen = longer(naming.seen, " ");
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
  if (gathered.length > MOST_GATHERED) return gathered;
  return gathered + (text.length > LONGEST_NAME ? fold(text).slice(0, LONGEST_NAME + 1) : text);
}
