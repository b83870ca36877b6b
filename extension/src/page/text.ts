// Text the way a person reads it: runs of white space are one blank.

export function fold(text: string): string {
  return text.replace(/\s+/g, " ");
}

export function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** Cut where it would drown everything else. */
export function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
