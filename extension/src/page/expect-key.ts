// `expectKey`: readies the document for a key that goes to whatever has the focus, and
// says whether that is in here.
import { forgetText } from "./typed";
import { focusedElement } from "./visibility";
import { watchDom } from "./watch";

export function expectKey(): boolean {
  // The frames around one with the focus have it, too; the main one is told of any key.
  if (window !== top && !document.hasFocus()) return false;
  watchDom(focusedElement() ?? undefined);
  forgetText();
  return true;
}
