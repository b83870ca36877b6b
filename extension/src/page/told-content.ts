// What came of an element's content: nothing but text, nothing but controls, or
// neither. Decides whether a clickable part of the page is told by its text.
// Kept while the walk goes on, since looking back over the content of every
// clickable would cost the square of how deep they are nested.
import { clean, fold, LONGEST_NAME } from "./text";

export interface Content {
  text: string;
  /** Nothing of the text was left out. */
  isWhole: boolean;
  isTextOnly: boolean;
  isControlsOnly: boolean;
}

interface OpenContent {
  text: string;
  hasText: boolean;
  hasControls: boolean;
  hasStructure: boolean;
}

/** More than any element is told by. */
const LONGEST_TEXT = 5_000;

export class Contents {
  readonly #open: OpenContent[] = [];

  begin(): void {
    this.#open.push({ text: "", hasText: false, hasControls: false, hasStructure: false });
  }

  text(text: string): void {
    const innermost = this.#open.at(-1);
    if (!innermost) return;
    innermost.hasText ||= /\S/.test(text);
    if (innermost.text.length < LONGEST_TEXT) innermost.text += text;
  }

  control(): void {
    const innermost = this.#open.at(-1);
    if (innermost) innermost.hasControls = true;
  }

  structure(): void {
    const innermost = this.#open.at(-1);
    if (innermost) innermost.hasStructure = true;
  }

  end(): Content {
    const content = this.#open.pop();
    if (!content) return { text: "", isWhole: true, isTextOnly: true, isControlsOnly: false };
    const { hasText, hasControls, hasStructure } = content;
    const around = this.#open.at(-1);
    if (around) {
      // What was just ended is a control of its own, or has some in it.
      around.hasControls = true;
      around.hasText ||= hasText && (hasControls || hasStructure);
    }
    return {
      text: clean(content.text),
      isWhole: fold(content.text).length <= LONGEST_NAME,
      isTextOnly: !hasStructure && !hasControls,
      isControlsOnly: hasControls && !hasText,
    };
  }
}
