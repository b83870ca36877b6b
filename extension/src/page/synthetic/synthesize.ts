// `synthesize`: an input as synthetic events, for tabs that the debugger can't
// attach to. Takes what the debugger would: the same steps of a batch go either
// way. A page can tell such events from a person's; what only the browser itself
// could do is refused.
import { Refused } from "../../protocol/refused";
import { type KeyInput, pressKey } from "./keys";
import { type MouseInput, moveMouse } from "./pointer";
import { insertText } from "./text";

export interface SyntheticInput {
  method: string;
  params: unknown;
}

export function synthesize({ method, params }: SyntheticInput): null {
  switch (method) {
    case "Input.dispatchMouseEvent":
      moveMouse(params as MouseInput);
      return null;
    case "Input.dispatchKeyEvent":
      pressKey(params as KeyInput);
      return null;
    case "Input.insertText":
      insertText((params as { text: string }).text);
      return null;
    default:
      throw new Refused(
        "debugger_refused",
        "The debugger can't attach to this tab, and this can't be done without it. Use another tab.",
      );
  }
}
