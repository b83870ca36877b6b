// `pageContext`: what the user looks at, for whoever follows it: the page's part of
// a `browser.page.context.v1` record, within that schema's limits. What is typed in
// fields is no part of it.
import type {
  ContextContent,
  ContextForm,
  ContextMeta,
  ContextViewport,
  PageContext,
} from "../protocol/generated";
import { isClobbered, page } from "./clobbered";
import { contextDom } from "./context-dom";
import { linesNotTyped, shownText } from "./query-text";
import { isSecret, unlessHeld } from "./secrets";
import { selectAll } from "./selectors";
import { inSlices, type Sliced } from "./sliced";
import { clean, shortAddress, shorten } from "./text";
import { isVisible } from "./visibility";

/** The schema's own. */
const MOST_TEXT = 5_000;
const MOST_LINKS = 50;
const MOST_IMAGES = 20;
/** Ours, where it names none. */
const MOST_HEADINGS = 100;
const MOST_FORMS = 20;
const MOST_INPUTS = 100;
const MOST_KEYWORDS = 30;
const LONGEST_LABEL = 200;
const LONGEST_ADDRESS = 2_000;

const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";
const FIELDS = "input,select,textarea";

export function pageContext(): Promise<PageContext> {
  return inSlices(told);
}

function* told(): Sliced<PageContext> {
  return {
    url: location.href,
    domain: location.hostname,
    title: shorten(page.title, LONGEST_LABEL),
    favicon: favicon(),
    viewport: viewport(),
    dom: yield* contextDom(),
    content: yield* content(),
    meta: meta(),
  };
}

function viewport(): ContextViewport {
  return {
    width: innerWidth,
    height: innerHeight,
    scrollX: Math.round(scrollX),
    scrollY: Math.round(scrollY),
    devicePixelRatio,
  };
}

function favicon(): string {
  const [link] = selectAll(document, "link[rel~=icon i][href]");
  return link instanceof HTMLLinkElement ? shortAddress(link.href, LONGEST_ADDRESS) : "";
}

function* content(): Sliced<ContextContent> {
  const { root } = page;
  return {
    mainText: root ? yield* linesNotTyped(root, MOST_TEXT) : "",
    headings: yield* texts(),
    links: yield* links(),
    images: yield* images(),
    forms: yield* forms(),
  };
}

function* texts(): Sliced<string[]> {
  const told: string[] = [];
  for (const heading of yield* visible(HEADINGS, MOST_HEADINGS)) {
    const text = yield* shownText(heading, LONGEST_LABEL, false);
    if (text !== "") told.push(text);
  }
  return told;
}

function* links(): Sliced<ContextContent["links"]> {
  const told: ContextContent["links"] = [];
  for (const link of yield* visible("a[href]", MOST_LINKS)) {
    if (!(link instanceof HTMLAnchorElement)) continue;
    const text = yield* shownText(link, LONGEST_LABEL, false);
    told.push({ text: text || labelOf(link), href: shortAddress(link.href, LONGEST_ADDRESS) });
  }
  return told;
}

function* images(): Sliced<ContextContent["images"]> {
  const told: ContextContent["images"] = [];
  for (const image of yield* visible("img[src]", MOST_IMAGES)) {
    if (!(image instanceof HTMLImageElement)) continue;
    told.push({
      alt: shorten(clean(image.alt), LONGEST_LABEL),
      src: shortAddress(image.src, LONGEST_ADDRESS),
    });
  }
  return told;
}

/** A form may be hidden by the style of what is around its fields; these count. */
function* forms(): Sliced<ContextForm[]> {
  const told: ContextForm[] = [];
  for (const form of selectAll(document, "form")) {
    yield;
    if (told.length >= MOST_FORMS) break;
    const fields = [...selectAll(form, FIELDS)].slice(0, MOST_INPUTS);
    const inputs = fields.filter((field) => isAsked(field)).map(inputOf);
    if (inputs.length === 0) continue;
    // Fields may be called `action` and `method`.
    const [action, method] = ["action", "method"].map((name) =>
      Element.prototype.getAttribute.call(form, name),
    );
    told.push({
      action: shortAddress(action ? absolute(action) : location.href, LONGEST_ADDRESS),
      method: (method ?? "get").toLowerCase(),
      inputs,
    });
  }
  return told;
}

function isAsked(field: Element): boolean {
  return !(field instanceof HTMLInputElement && field.type === "hidden") && isVisible(field);
}

function inputOf(field: Element): ContextForm["inputs"][number] {
  const type = field instanceof HTMLInputElement ? field.type : field.localName;
  const said = (name: string) => unlessHeld(field, field.getAttribute(name) ?? "");
  return {
    type: isSecret(field) && type === "text" ? "password" : type,
    name: shorten(said("name"), LONGEST_LABEL),
    placeholder: shorten(clean(said("placeholder")), LONGEST_LABEL),
    autocomplete: shorten(said("autocomplete"), LONGEST_LABEL),
    required: field.hasAttribute("required") || field.getAttribute("aria-required") === "true",
  };
}

/** The first ones that a person can see, in the order of the page. */
function* visible(selector: string, most: number): Sliced<Element[]> {
  const found: Element[] = [];
  for (const element of selectAll(document, selector)) {
    yield;
    if (found.length >= most) break;
    if (!isClobbered(element) && isVisible(element)) found.push(element);
  }
  return found;
}

function labelOf(element: Element): string {
  const [image] = selectAll(element, "img[alt]");
  const said = element.getAttribute("aria-label") ?? element.getAttribute("title");
  return shorten(clean(said ?? image?.getAttribute("alt") ?? ""), LONGEST_LABEL);
}

function meta(): ContextMeta {
  const keywords = said("keywords").split(",").map(clean);
  return {
    description: said("description"),
    keywords: keywords.filter((word) => word !== "").slice(0, MOST_KEYWORDS),
    ogTitle: said("og:title"),
    ogImage: shortAddress(said("og:image"), LONGEST_ADDRESS),
    ogDescription: said("og:description"),
  };
}

function said(name: string): string {
  const [one] = selectAll(document, `meta[name="${name}" i],meta[property="${name}" i]`);
  return shorten(clean(one?.getAttribute("content") ?? ""), LONGEST_ADDRESS);
}

function absolute(address: string): string {
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).href : "";
}
