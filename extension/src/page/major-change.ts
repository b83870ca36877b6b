// `majorChange`: answers once so much of the page has become another that somebody
// who follows it would want to know, or after a while.
import type { MajorChangeArgs } from "../protocol/generated";
import { isElement } from "./clobbered";

/** Elements that come or go, or letters of text that do. */
const MANY_ELEMENTS = 3;
const MANY_LETTERS = 40;

export function majorChange({ limitMs }: MajorChangeArgs): Promise<boolean> {
  return new Promise((resolve) => {
    let elements = 0;
    let letters = 0;
    const observer = new MutationObserver((mutations) => {
      for (const { type, addedNodes, removedNodes, target } of mutations) {
        if (type === "characterData") letters += target.nodeValue?.length ?? 0;
        for (const nodes of [addedNodes, removedNodes]) {
          for (const node of nodes) {
            // What is in it is not looked through: that may be all of the page.
            if (isElement(node)) elements += 1 + node.childElementCount;
            else letters += node.nodeValue?.length ?? 0;
            if (elements >= MANY_ELEMENTS || letters >= MANY_LETTERS) return done(true);
          }
        }
      }
      if (letters >= MANY_LETTERS) done(true);
    });
    const timer = setTimeout(() => done(false), limitMs);
    observer.observe(document, { subtree: true, childList: true, characterData: true });
    function done(isMajor: boolean): void {
      clearTimeout(timer);
      observer.disconnect();
      resolve(isMajor);
    }
  });
}
