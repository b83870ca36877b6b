// `metadata`: what a document says of itself, in its head and by its numbers.
import type { Metadata } from "../protocol/generated";
import { page } from "./clobbered";
import { rootsIn, selectAll } from "./selectors";
import { clean, shortAddress, shorten } from "./text";

const LONGEST_VALUE = 500;
const LONGEST_ADDRESS = 2_000;
const MOST_LINKS = 50;
const MOST_META = 100;
const MOST_TYPES = 50;
/** Structured data beyond this is a catalogue, not a description. */
const LONGEST_STRUCTURED = 200_000;

const RELATIONS = new Set("alternate canonical icon manifest next prev".split(" "));

/** Tokens that let whoever has them act as the user. */
const SECRET_NAME = /csrf|xsrf|token|nonce|session/i;

const COUNTED: [name: string, selector: string][] = [
  ["links", "a[href],area[href]"],
  ["images", "img,[role=img]"],
  ["forms", "form"],
  ["headings", "h1,h2,h3,h4,h5,h6,[role=heading]"],
  ["frames", "iframe,frame"],
];

export function metadata(): Metadata {
  const lastModified = modifiedAt();
  return {
    title: page.title,
    url: location.href,
    language: page.documentElement?.getAttribute("lang") ?? "",
    charset: asked("characterSet"),
    contentType: asked("contentType"),
    ...(lastModified && { lastModified }),
    links: links(),
    meta: meta(),
    structured: structuredTypes(),
    counts: counts(),
  };
}

/** Past a picture or a form of that name. */
function asked(name: "characterSet" | "contentType" | "lastModified"): string {
  const value: unknown = Object.getOwnPropertyDescriptor(Document.prototype, name)?.get?.call(
    document,
  );
  return String(value);
}

/** Where the server said nothing, the browser gives the time of the question. */
function modifiedAt(): string | undefined {
  const at = new Date(asked("lastModified"));
  const loadedAt = Math.floor(performance.timeOrigin / 1000) * 1000;
  return at.getTime() < loadedAt ? at.toISOString() : undefined;
}

function links(): Metadata["links"] {
  const told: Metadata["links"] = [];
  for (const link of selectAll(document, "link[rel][href]")) {
    if (told.length >= MOST_LINKS || !(link instanceof HTMLLinkElement)) break;
    const relation = link.rel
      .toLowerCase()
      .split(/\s+/)
      .find((word) => RELATIONS.has(word));
    if (relation && link.rel.toLowerCase() !== "alternate stylesheet") {
      told.push([relation, shortAddress(link.href, LONGEST_ADDRESS)]);
    }
  }
  return told;
}

function meta(): Metadata["meta"] {
  const told: Metadata["meta"] = [];
  for (const one of selectAll(document, "meta[content]")) {
    if (told.length >= MOST_META) break;
    const name = clean(one.getAttribute("name") || one.getAttribute("property"));
    if (name === "") continue;
    const content = clean(one.getAttribute("content"));
    told.push([
      shorten(name, LONGEST_VALUE),
      SECRET_NAME.test(name) ? "[secret]" : shorten(content, LONGEST_VALUE),
    ]);
  }
  return told;
}

function structuredTypes(): string[] {
  const types = new Set<string>();
  for (const script of selectAll(document, "script[type='application/ld+json' i]")) {
    const text = script.textContent ?? "";
    if (text.length > LONGEST_STRUCTURED) continue;
    try {
      for (const type of typesIn(JSON.parse(text))) types.add(shorten(clean(type), 100));
    } catch {
      // Written by hand often enough: what can't be read says nothing.
    }
  }
  return [...types].slice(0, MOST_TYPES);
}

/** Of the things themselves, not of what they consist of. */
function typesIn(data: unknown): string[] {
  if (Array.isArray(data)) return data.flatMap(typesIn);
  if (typeof data !== "object" || data === null) return [];
  const { "@type": type, "@graph": graph } = data as Record<string, unknown>;
  const own = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  return [...own, ...(graph === undefined ? [] : typesIn(graph))];
}

function counts(): Metadata["counts"] {
  const roots = rootsIn(document);
  const count = (selector: string) =>
    roots.reduce((sum, root) => sum + selectAll(root, selector).length, 0);
  return Object.fromEntries(COUNTED.map(([name, selector]) => [name, count(selector)]));
}
