// Text the way a person reads it: runs of white space are one blank.

export const LONGEST_NAME = 2_000;

/** Letters that only a font of pictures can draw. */
const ICONS = /[\u{E000}-\u{F8FF}\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}]/gu;

/** Something to be read, not an ornament. */
export const WORDS = /[\p{L}\p{N}\p{Sc}%]/u;

/** Far quicker to ask than the above, and nearly always no. */
const MAYBE_ICONS = /[\uDB80-\uDBFF\uE000-\uF8FF]/;

export function fold(text: string): string {
  // Single blanks stay as they are, which most of white space is.
  return text.replace(/\s{2,}|[^\S ]/g, " ");
}

/** As a name: on one line, without what nobody can read, and not without end. */
export function clean(text: string | null): string {
  if (!text) return "";
  const readable = MAYBE_ICONS.test(text) ? text.replace(ICONS, " ") : text;
  return shorten(fold(readable).trim(), LONGEST_NAME);
}

/** Only there a word begins: an apostrophe is a part of it, an opening quote is none. */
const FIRST_LETTER = /(?<![\p{L}\p{N}\p{M}_]['’]?)\p{L}/gu;
const AMID_A_WORD = /[\p{L}\p{N}\p{M}_]['’]?$/u;

/** As a style sheet has it drawn. `before`: what it follows without a blank. */
export function transformed(
  text: string,
  textTransform: string,
  before: () => string = () => "",
): string {
  switch (textTransform) {
    case "uppercase":
      return text.toUpperCase();
    case "lowercase":
      return text.toLowerCase();
    case "capitalize": {
      const isAmidWord = AMID_A_WORD.test(before());
      return text.replace(FIRST_LETTER, (letter, offset) =>
        isAmidWord && offset === 0 ? letter : letter.toUpperCase(),
      );
    }
    default:
      return text;
  }
}

/** It looks different where white space is drawn as it stands. */
export function mayBePreformatted(text: string): boolean {
  return /[\n\t]| {2}/.test(text);
}

/** With the lines and blanks that a style sheet has drawn; empty where it has them folded. */
export function preservedText(text: string, whiteSpaceCollapse: string): string {
  switch (whiteSpaceCollapse) {
    case "preserve":
    case "preserve-spaces":
    case "break-spaces":
      return text;
    case "preserve-breaks":
      return text.replace(/[^\S\n]*\n[^\S\n]*/g, "\n").replace(/[^\S\n]+/g, " ");
    default:
      return "";
  }
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** An address without inline data or code. */
export function shortAddress(address: string, longest: number): string {
  const bare = address.replace(/^(data:[^,]*,|javascript:).+/is, "$1…");
  return shorten(bare, longest);
}

/** Cut where it would drown everything else. */
export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
