// Text that a style sheet puts before or after an element's content.

/** Strings of a `content`; what follows a slash is their alternative text. */
const STRINGS = /"((?:[^"\\]|\\.)*)"/g;

export function generatedText(element: Element, place: "::before" | "::after"): string {
  const { content, display } = getComputedStyle(element, place);
  if (!content.includes('"') || display === "none") return "";
  const [drawn = "", spoken] = content.split(" / ");
  const strings = (spoken ?? drawn).matchAll(STRINGS);
  const text = [...strings].map(([, letters = ""]) => letters.replace(/\\(.)/g, "$1")).join("");
  return display === "inline" ? text : ` ${text} `;
}
