// Ending the login of this browser: asked once more before it is done.
import { whenPressed } from "../pressed";
import { byId } from "../status-words";
import type { WorkerStatus } from "../worker-channel";

export class Leaving {
  readonly #section = byId("leaving", HTMLElement);
  readonly #begin = byId("leave", HTMLButtonElement);
  readonly #question = byId("leave-question", HTMLDivElement);
  readonly #keep = byId("leave-no", HTMLButtonElement);

  constructor(leave: () => void) {
    whenPressed(this.#begin, () => {
      this.#ask(true);
      this.#keep.focus();
    });
    whenPressed(this.#keep, () => {
      this.#ask(false);
      this.#begin.focus();
    });
    whenPressed(byId("leave-yes", HTMLButtonElement), () => {
      this.#ask(false);
      leave();
    });
  }

  /** One that the hub launched has no login of its own. */
  show({ hasPairingToken, isLaunched }: WorkerStatus): void {
    this.#section.hidden = !hasPairingToken || isLaunched;
    if (this.#section.hidden) this.#ask(false);
  }

  #ask(isAsked: boolean): void {
    this.#begin.hidden = isAsked;
    this.#question.hidden = !isAsked;
  }
}
