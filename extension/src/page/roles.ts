// ARIA roles: what the page says, if it is a role there is, or what the HTML
// element is by itself.
import { closest } from "./clobbered";

/** Roles that a person operates. */
const WIDGETS = new Set(
  "button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem".split(
    " ",
  ),
);

/** Roles that are told by their content. */
const NAMED_BY_CONTENT = new Set(
  "button checkbox link menuitem menuitemcheckbox menuitemradio option radio switch tab treeitem".split(
    " ",
  ),
);

/** Roles whose content is their own, also where they stand in what is named by its content. */
const CONTAINERS = new Set(
  "alert alertdialog article banner blockquote complementary contentinfo dialog feed figure group listbox log main menu menubar navigation note progressbar radiogroup search separator status tablist tabpanel timer toolbar tree treegrid".split(
    " ",
  ),
);

/** Roles that are told by their content although nobody operates them by themselves. */
const ALSO_BY_CONTENT = new Set(
  "cell columnheader gridcell heading row rowheader tooltip".split(" "),
);

/** ARIA has no names for them, so what a person reads there is all there is to call them by. */
const NAMELESS = new Set(["", "caption", "definition", "paragraph", "term"]);

const STRUCTURE = new Set(
  "alert alertdialog article banner blockquote caption cell columnheader complementary contentinfo definition dialog feed figure form grid gridcell group heading img list listbox listitem log main math menu menubar meter navigation note paragraph progressbar radiogroup region row rowheader scrollbar search separator status table tablist tabpanel term timer toolbar tooltip tree treegrid".split(
    " ",
  ),
);

const PARTS = new Set("article aside main nav section".split(" "));

const BY_TAG: Record<string, string> = {
  article: "article",
  aside: "complementary",
  audio: "audio",
  blockquote: "blockquote",
  button: "button",
  canvas: "canvas",
  caption: "caption",
  dd: "definition",
  details: "group",
  dialog: "dialog",
  dt: "term",
  embed: "object",
  fieldset: "group",
  figcaption: "caption",
  figure: "figure",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  img: "img",
  li: "listitem",
  main: "main",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  object: "object",
  ol: "list",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  search: "search",
  summary: "button",
  table: "table",
  td: "cell",
  textarea: "textbox",
  tr: "row",
  ul: "list",
  video: "video",
};

const BY_INPUT_TYPE: Record<string, string> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  search: "searchbox",
  submit: "button",
};

export function isWidget(role: string): boolean {
  return WIDGETS.has(role);
}

export function isNamedByContent(role: string): boolean {
  return NAMED_BY_CONTENT.has(role);
}

/** By ARIA, whether or not it can be operated. */
export function takesNameFromContent(role: string): boolean {
  return NAMED_BY_CONTENT.has(role) || ALSO_BY_CONTENT.has(role);
}

/** Whether what a person reads in it is what it is called. */
export function isCalledByContent(role: string): boolean {
  return takesNameFromContent(role) || NAMELESS.has(role);
}

/** Of a link around an article, Chromium doesn't say the article. */
export function contributesNoName(role: string, tag: string): boolean {
  return CONTAINERS.has(role) && tag !== "details";
}

/** Elements whose headers and footers are theirs, not the page's. */
export function isPartOfPage(tag: string): boolean {
  return PARTS.has(tag);
}

/**
 * The role; empty for what has none of its own. `isMarked`: it may have said
 * one. `isInPart`: where the caller knows whether it is in a part of the page.
 */
export function roleOf(element: Element, tag: string, isMarked = true, isInPart?: boolean): string {
  // A frame is a frame: what is in it hangs on it.
  if (tag === "iframe" || tag === "frame") return "iframe";
  const said = isMarked && element.getAttribute("role");
  if (said) {
    for (const word of said.toLowerCase().split(/\s+/)) {
      if (WIDGETS.has(word) || STRUCTURE.has(word)) return word;
      if (word === "none" || word === "presentation" || word === "generic") {
        // What can be operated stays what it is, whatever the page says.
        const own = implicitRole(element, tag, isInPart);
        return WIDGETS.has(own) ? own : "";
      }
    }
  }
  return implicitRole(element, tag, isInPart);
}

/** `presentation` on a table takes the roles of its rows and cells away too. */
export function isLayoutTable(element: Element, tag: string, role: string): boolean {
  return tag === "table" && role === "" && element.hasAttribute("role");
}

export function headingLevel(element: Element, tag: string): number {
  const said = Number(element.getAttribute("aria-level"));
  if (Number.isInteger(said) && said > 0 && said < 256) return said;
  return /^h[1-6]$/.test(tag) ? Number(tag[1]) : 2;
}

function implicitRole(element: Element, tag: string, isInPart?: boolean): string {
  switch (tag) {
    case "a":
    case "area":
      return element.hasAttribute("href") ? "link" : "";
    case "input":
      return inputRole(element as HTMLInputElement);
    case "select": {
      const { multiple, size } = element as HTMLSelectElement;
      return multiple || size > 1 ? "listbox" : "combobox";
    }
    case "th":
      return element.getAttribute("scope") === "row" ? "rowheader" : "columnheader";
    case "header":
      return (isInPart ?? isInsidePart(element)) ? "" : "banner";
    case "footer":
      return (isInPart ?? isInsidePart(element)) ? "" : "contentinfo";
    case "section":
      return hasOwnName(element) ? "region" : "";
    case "form":
      return hasOwnName(element) ? "form" : "";
    case "summary":
      return element.parentElement?.localName === "details" ? "button" : "";
    default:
      return BY_TAG[tag] ?? "";
  }
}

function inputRole(input: HTMLInputElement): string {
  const role = BY_INPUT_TYPE[input.type];
  if (role) return role;
  return input.hasAttribute("list") ? "combobox" : "textbox";
}

function isInsidePart(element: Element): boolean {
  const parent = element.parentElement;
  return parent !== null && closest(parent, [...PARTS].join()) !== null;
}

function hasOwnName(element: Element): boolean {
  return element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby");
}
