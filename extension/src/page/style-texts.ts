// Which elements have words before or after their content that a style sheet puts
// there: a currency, "Out of stock". Asking the browser about every element would
// cost more than all else of a walk, so the rules are read instead, once a sheet,
// and the elements that they mean are looked up.
import { page, selectIn } from "./clobbered";
import { WORDS } from "./text";

/** A sheet of another site can't be read; so many empty elements are asked about then. */
const MOST_ASKED = 2_000;
/** Of all sheets of a page; what is more is not read. */
const MOST_RULES = 20_000;
/** Selectors by elements: what is looked up at most in one go. */
const MOST_TESTS = 1_000_000;

const PSEUDO = /::?(?:before|after)\b/i;
const ALL_PSEUDO = /(^|[\s>+~,(]?)::?(?:before|after)\b/gi;
const STRING = /"((?:[^"\\]|\\.)*)"/g;

interface Rules {
  /** By which a change of the sheet is seen. */
  count: number;
  selectors: string[];
  isWhole: boolean;
}

/** A page's sheets rarely change between two looks. */
const known = new WeakMap<CSSStyleSheet, Rules>();

export class StyleTexts {
  readonly #elements = new Set<Element>();
  /** Empty elements that may still be asked about. */
  #asked = 0;

  /** Of a document or a shadow root. */
  add(root: Document | ShadowRoot): void {
    const sheets = root instanceof Document ? page.styleSheets : root.styleSheets;
    const all = [...sheets, ...root.adoptedStyleSheets].map(rulesOf);
    const selectors = all.flatMap((rules) => rules.selectors);
    const { length: elements } = selectors.length > 0 ? selectIn(root, "*") : [];
    const taken = selectors.slice(0, Math.floor(MOST_TESTS / Math.max(1, elements)));
    const isWhole = taken.length === selectors.length && all.every((rules) => rules.isWhole);
    if (!isWhole) this.#asked = MOST_ASKED;
    if (taken.length === 0) return;
    // Takes what it understands, whatever else is in the list.
    for (const element of selectIn(root, `:is(${taken.join()})`)) this.#elements.add(element);
  }

  /** Whether it is worth asking for them. */
  mayBeAt(element: Element, isEmpty: boolean): boolean {
    if (this.#elements.has(element)) return true;
    if (!isEmpty || this.#asked === 0) return false;
    this.#asked -= 1;
    return true;
  }
}

function rulesOf(sheet: CSSStyleSheet): Rules {
  try {
    const { cssRules } = sheet;
    const earlier = known.get(sheet);
    if (earlier?.count === cssRules.length) return earlier;
    const rules: Rules = { count: cssRules.length, selectors: [], isWhole: true };
    gather(cssRules, "", rules, { left: MOST_RULES });
    known.set(sheet, rules);
    return rules;
  } catch (error) {
    if (error instanceof DOMException) return { count: 0, selectors: [], isWhole: false };
    throw error;
  }
}

/** `outer`: the selector of the rule that these are nested in. */
function gather(list: CSSRuleList, outer: string, rules: Rules, room: { left: number }): void {
  for (const rule of list) {
    room.left -= 1;
    if (room.left < 0) {
      rules.isWhole = false;
      return;
    }
    if (rule instanceof CSSImportRule) {
      const imported = rule.styleSheet && rulesOf(rule.styleSheet);
      rules.selectors.push(...(imported?.selectors ?? []));
      if (imported?.isWhole === false) rules.isWhole = false;
    } else if (rule instanceof CSSStyleRule) {
      const selector = outer ? nested(rule.selectorText, outer) : rule.selectorText;
      if (PSEUDO.test(selector) && saysWords(rule.style.content)) {
        rules.selectors.push(selector.replace(ALL_PSEUDO, (_, before) => subject(before)));
      }
      if (rule.cssRules.length > 0) gather(rule.cssRules, selector, rules, room);
    } else if ("cssRules" in rule) {
      gather(rule.cssRules as CSSRuleList, outer, rules, room);
    }
  }
}

/** What the words belong to, where nothing but its place is said of it. */
function subject(before: string): string {
  return before === "" ? "" : `${before}*`;
}

function nested(selector: string, outer: string): string {
  const around = `:is(${outer})`;
  return selector.includes("&") ? selector.replaceAll("&", around) : `${around} ${selector}`;
}

/** Separators and the letters of icon fonts are ornaments; what a variable holds is not known. */
function saysWords(content: string): boolean {
  if (/\b(?:attr|var)\(/.test(content)) return true;
  const [drawn = ""] = content.split(" / ");
  return [...drawn.replace(/url\("[^"]*"\)/g, "").matchAll(STRING)].some(([, letters = ""]) =>
    WORDS.test(letters),
  );
}
