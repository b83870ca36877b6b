// The last resort for a control that nothing names: what the file of its picture
// is called. A person sees a bin; whoever reads gets `delete` from delete.png.
import { childrenOf } from "./flat-tree";
import { clean } from "./text";

/** An icon is no more than a few elements. */
const MOST_ELEMENTS = 8;
const LONGEST_FILE_NAME = 40;
/** Names that a build made of a file's content, or a service of a number, say nothing. */
const MADE_UP = /^[0-9a-f-]{6,}$|\d{4,}/i;

/** Many icons are drawn before or after an element that holds nothing. */
const PLACES = [null, "::before", "::after"] as const;

/** Nothing, if there is no picture with a name that was given by a person. */
export function pictureName(control: Element): string {
  const waiting: Node[] = [control];
  for (let left = MOST_ELEMENTS; left > 0 && waiting.length > 0; left -= 1) {
    const element = waiting.shift();
    if (!(element instanceof Element)) continue;
    for (const address of picturesOf(element)) {
      const name = fileName(address);
      if (name) return name;
    }
    waiting.push(...childrenOf(element));
  }
  return "";
}

function picturesOf(element: Element): string[] {
  const used = element.localName === "use" ? element.getAttribute("href") : null;
  if (used) return [used];
  if (element instanceof HTMLImageElement) return [element.currentSrc || element.src];
  return PLACES.flatMap((place) => {
    const { content, backgroundImage, maskImage } = getComputedStyle(element, place);
    // Without content there is nothing before or after it that could be drawn.
    if (place !== null && (content === "none" || content === "normal")) return [];
    return [content, backgroundImage, maskImage].flatMap(addressesIn);
  });
}

function addressesIn(style: string): string[] {
  return [...style.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)].map(([, address = ""]) => address);
}

/** `delete` of `/icons/delete.png?v=2`, `bin` of `sprite.svg#bin`. */
function fileName(address: string): string {
  if (/^(data|blob):/i.test(address)) return "";
  const [path = "", part] = address.split("#");
  const last = /([^/?]*)(\?.*)?$/.exec(path)?.[1] ?? "";
  const file = part || last.replace(/\.\w+$/, "");
  const name = clean(file.replace(/[-_+.]|%20/g, " "));
  return name.length > LONGEST_FILE_NAME || MADE_UP.test(file) ? "" : name;
}
