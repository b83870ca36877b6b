// Text of others, shown so that a person sees all of it: a character that shows
// nothing, or that turns the order of others around, is named instead, and where
// a line ends or a tab stands is marked.
import { make } from "./keyed-list";

/** Emoji are made of such characters too, and are left as they are. */
const UNSEEN =
  /\p{RGI_Emoji}|(\r\n|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800])/gv;

const MARKS: Record<string, string> = { "\n": "↵", "\r\n": "↵", "\t": "⇥" };

export function visibleText(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const { 0: found, 1: unseen, index } of text.matchAll(UNSEEN)) {
    if (unseen === undefined) continue;
    parts.push(text.slice(end, index), ...shown(unseen));
    end = index + found.length;
  }
  return [...parts, text.slice(end)];
}

function shown(unseen: string): (Node | string)[] {
  const mark = MARKS[unseen];
  if (mark === undefined) return [make("span", "unseen-character", codePoint(unseen))];
  const element = make("span", "mark", mark);
  // A screen reader has the line's end itself.
  element.ariaHidden = "true";
  return [element, unseen === "\t" ? unseen : "\n"];
}

function codePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
