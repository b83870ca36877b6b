// Gathers the name of a control from its content, while the walk is in it.
import { clean } from "./names";

export interface Naming {
  /** Text without what the page hides from screen readers. */
  spoken: string;
  /** Everything a person sees. */
  seen: string;
  /** Alternative texts of pictures. */
  pictures: string[];
}

export function emptyNaming(): Naming {
  return { spoken: "", seen: "", pictures: [] };
}

export function addText(naming: Naming, text: string): void {
  naming.spoken += text;
  naming.seen += text;
}

export function addBlank(naming: Naming): void {
  addText(naming, " ");
}

/** A picture that says what the text says too is not named twice. */
export function contentName({ spoken, seen, pictures }: Naming): string {
  const text = clean(spoken);
  const known = text.toLowerCase();
  const news = pictures.filter((picture) => !known.includes(picture.toLowerCase()));
  return clean([...new Set(news), text].join(" ")) || clean(seen);
}
