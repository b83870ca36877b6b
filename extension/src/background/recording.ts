// What the debugger tells of a tab, written down from the first question on.
// Each recording listens to domains of its own; what was written stays when
// the debugger lets go of the tab, and is forgotten when the tab closes.
import { type DebuggerCommand, keepSwitchedOn, sendDebuggerCommand } from "./debugger";

/** Events of the debugger in, whatever is to be remembered of them kept. */
export interface Listener {
  hear(method: string, params: unknown): void;
}

interface Begun<Kept> {
  kept: Kept;
  listening: Promise<void>;
}

export class Recording<Kept extends Listener> {
  readonly #begun = new Map<number, Begun<Kept>>();

  constructor(
    /** What makes the debugger tell. */
    private readonly commands: DebuggerCommand[],
    private readonly makeEmpty: () => Kept,
  ) {}

  /** Once, while the worker starts. */
  watch(): void {
    chrome.debugger.onEvent.addListener(({ tabId }, method, params) => {
      if (tabId !== undefined) this.#begun.get(tabId)?.kept.hear(method, params);
    });
    chrome.tabs.onRemoved.addListener((tabId) => this.#begun.delete(tabId));
  }

  /** All that is known of a tab by now. The first call begins the recording. */
  async of(tabId: number): Promise<Kept> {
    const begun = this.#begun.get(tabId) ?? this.#begin(tabId);
    await begun.listening;
    // What switching on brought to light arrives before the answer to this. It
    // also attaches again where the debugger had let go.
    await sendDebuggerCommand(tabId, "Page.getNavigationHistory");
    return begun.kept;
  }

  #begin(tabId: number): Begun<Kept> {
    const kept = this.makeEmpty();
    const begun = { kept, listening: keepSwitchedOn(tabId, this.commands) };
    this.#begun.set(tabId, begun);
    begun.listening.catch(() => {
      if (this.#begun.get(tabId) === begun) this.#begun.delete(tabId);
    });
    return begun;
  }
}
