// Text that a style sheet puts before or after an element's content.

/**
 * Strings and quotes of a `content`; what follows a slash is their alternative text. The
 * address of a picture is no text.
 */
const PARTS = /url\("(?:[^"\\]|\\.)*"\)|"((?:[^"\\]|\\.)*)"|(open|close)-quote/g;

const QUOTES: Record<string, string> = { open: "“", close: "”" };

export function generatedText(element: Element, place: "::before" | "::after"): string {
  const { content, display, visibility, opacity } = getComputedStyle(element, place);
  if (content === "none" || content === "normal" || display === "none") return "";
  // A hint that is shown once the mouse is there.
  if (visibility !== "visible" || opacity === "0") return "";
  const [drawn = "", spoken] = content.split(" / ");
  const parts = [...(spoken ?? drawn).matchAll(PARTS)];
  const text = parts
    .map(([, letters, quote]) => letters?.replace(/\\(.)/g, "$1") ?? QUOTES[quote ?? ""])
    .join("");
  return display === "inline" ? text : ` ${text} `;
}
