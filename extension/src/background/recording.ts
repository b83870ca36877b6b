// What the debugger tells of a tab, written down from the first question on.
// Each recording listens to domains of its own; what was written stays when
// the debugger lets go of the tab, and is forgotten when the tab closes.
import { type DebuggerCommand, keepSwitchedOn, sendDebuggerCommand } from "./debugger";
import {
  FRAMES,
  forgetFrameSession,
  forgetFrameSessions,
  frameSessions,
  noteFrameSession,
} from "./frame-sessions";
import { pause } from "./pause";

/** Events of the debugger in, whatever is to be remembered of them kept. */
export interface Listener {
  /** `sessionId`: of the frame that it is from, if not of the page's own process. */
  hear(method: string, params: unknown, sessionId: string | undefined): void;
}

interface Begun<Kept> {
  kept: Kept;
  listening: Promise<void>;
  /** The same for each frame with a session of its own. */
  frames: Map<string, Promise<void>>;
}

/** A frame that is busy answers late, and holds up nobody. */
const FRAME_PATIENCE_MS = 300;

export class Recording<Kept extends Listener> {
  readonly #begun = new Map<number, Begun<Kept>>();

  constructor(
    /** What makes the debugger tell. */
    private readonly commands: DebuggerCommand[],
    private readonly makeEmpty: () => Kept,
  ) {}

  /** Once, while the worker starts. */
  watch(): void {
    chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params) => {
      const begun = tabId === undefined ? undefined : this.#begun.get(tabId);
      if (!begun || tabId === undefined) return;
      const { sessionId: frame } = (params ?? {}) as { sessionId?: string };
      if (method === "Target.attachedToTarget" && frame) this.#listenIn(tabId, frame, begun);
      else if (method === "Target.detachedFromTarget" && frame) forgetFrameSession(tabId, frame);
      else begun.kept.hear(method, params, sessionId);
    });
    chrome.tabs.onRemoved.addListener((tabId) => {
      this.#begun.delete(tabId);
      forgetFrameSessions(tabId);
    });
    chrome.tabs.onReplaced.addListener((tabId, oldTabId) => {
      const begun = this.#begun.get(oldTabId);
      this.#begun.delete(oldTabId);
      forgetFrameSessions(oldTabId);
      if (begun) this.#begun.set(tabId, begun);
    });
  }

  /** All that is known of a tab by now. The first call begins the recording. */
  async of(tabId: number): Promise<Kept> {
    const begun = this.#begun.get(tabId) ?? this.#begin(tabId);
    await begun.listening;
    // What switching on brought to light arrives before the answer to this. It
    // also attaches again where the debugger had let go.
    await sendDebuggerCommand(tabId, "Page.getNavigationHistory");
    const patience = new AbortController();
    const late = pause(FRAME_PATIENCE_MS, patience.signal);
    await Promise.race([Promise.all(begun.frames.values()), late]);
    patience.abort();
    return begun.kept;
  }

  /** Whether it has begun in a tab. */
  has(tabId: number): boolean {
    return this.#begun.has(tabId);
  }

  #begin(tabId: number): Begun<Kept> {
    const kept = this.makeEmpty();
    const listening = keepSwitchedOn(tabId, [...this.commands, FRAMES]);
    const begun: Begun<Kept> = { kept, listening, frames: new Map() };
    this.#begun.set(tabId, begun);
    for (const frame of frameSessions(tabId)) this.#listenIn(tabId, frame, begun);
    begun.listening.catch(() => {
      if (this.#begun.get(tabId) === begun) this.#begun.delete(tabId);
    });
    return begun;
  }

  #listenIn(tabId: number, frame: string, { frames }: Begun<Kept>): void {
    noteFrameSession(tabId, frame);
    const listening = this.#switchOn(tabId, frame).catch(() => {
      // It went away, or the debugger let go of it.
      forgetFrameSession(tabId, frame);
    });
    frames.set(frame, listening);
    void listening.then(() => frames.delete(frame));
  }

  async #switchOn(tabId: number, sessionId: string): Promise<void> {
    const target = { tabId, sessionId };
    for (const { method, params } of [...this.commands, FRAMES]) {
      await chrome.debugger.sendCommand(target, method, params);
    }
  }
}
