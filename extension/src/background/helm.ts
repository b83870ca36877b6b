// The user at the helm: what the hub says of the agent sessions, and what the
// user orders about them. Stopping everything works here at once, before the hub
// has heard of it and also without one.
import { BUILD } from "../build";
import type { BrowserEvent, HelmState, UserCommand } from "../protocol/generated";
import type { AskWindow } from "./ask-window";
import { forgiveTabs } from "./debugger";
import { type Requests, stoppedByUser } from "./link/requests";
import { showBadge, showNotifications } from "./notices";
import { putIntoGroup, takeOutOfGroup } from "./tab-groups";

export const STOP_SHORTCUT = "stop-everything";

export class Helm {
  readonly #send: (event: BrowserEvent) => void;
  readonly #requests: Requests;
  readonly #asking: Pick<AskWindow, "ask">;
  readonly #changed: () => void;
  /** Nothing until the hub has spoken. */
  state: HelmState | undefined;
  /** The user stopped everything in this browser. */
  #stopped = false;

  constructor(
    send: (event: BrowserEvent) => void,
    requests: Requests,
    asking: Pick<AskWindow, "ask">,
    changed: () => void,
  ) {
    this.#send = send;
    this.#requests = requests;
    this.#asking = asking;
    this.#changed = changed;
    void chrome.storage.session.get({ everythingStopped: false }).then((stored) => {
      if (stored.everythingStopped === true) this.#stopped = true;
    });
  }

  get isStopped(): boolean {
    return this.#stopped || this.state?.everythingStopped === true;
  }

  /** Every request passes here. */
  refuseIfStopped(): void {
    if (this.#stopped) throw stoppedByUser();
  }

  /** A hub that was away when the user said stop hears it now. */
  linked(): void {
    if (!this.#stopped) return;
    this.#send({ event: "user.command", payload: { command: "stopEverything" } });
  }

  unlinked(): void {
    this.state = undefined;
    this.#show();
  }

  hear(state: HelmState): void {
    // Let go on in another browser.
    if (this.state?.everythingStopped && !state.everythingStopped) this.#stop(false);
    this.state = state;
    void this.#asking.ask(state.requests);
    this.#show();
  }

  /** What was asked in a panel is asked elsewhere, once nobody can see that panel. */
  askAgain(): void {
    // Without a hub it isn't known what is asked.
    if (this.state) void this.#asking.ask(this.state.requests);
  }

  /** What the user orders, in our own pages or by shortcut. */
  order(command: UserCommand): void {
    if (command.command === "stopEverything") this.#stop(true);
    if (command.command === "goOn") this.#stop(false);
    this.#send({ event: "user.command", payload: command });
    // After the event: the hub must know why before it hears what was broken off.
    if (command.command === "stopEverything") this.#requests.stopAll();
    if (BUILD === "full") void this.#carryOut(command);
    this.#changed();
  }

  async #carryOut(command: UserCommand): Promise<void> {
    switch (command.command) {
      case "resume":
        // Whoever lets a session go on takes back the cancelled debugging bar, of its tabs.
        forgiveTabs(this.#tabsOf(command.session));
        break;
      case "share":
        await this.#group(command.tabId, command.session);
        break;
      case "accept": {
        const request = this.state?.requests.find(({ id }) => id === command.request);
        if (request && command.tabId !== undefined) {
          await this.#group(command.tabId, request.session);
        }
        break;
      }
      case "takeBack":
        await takeOutOfGroup(command.tabId);
    }
  }

  #tabsOf(session: string): readonly number[] {
    return this.state?.sessions.find((other) => other.session === session)?.tabs ?? [];
  }

  async #group(tabId: number, session: string): Promise<void> {
    const known = this.state?.sessions.find((other) => other.session === session);
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (!known || !tab) return;
    const { client: title, colour } = known;
    await putIntoGroup(tab, { session, title, colour, ownWindow: false });
  }

  #stop(stopped: boolean): void {
    this.#stopped = stopped;
    void chrome.storage.session.set({ everythingStopped: stopped });
  }

  #show(): void {
    showBadge(this.isStopped, this.state?.requests.length ?? 0);
    showNotifications(this.state?.requests ?? []);
    this.#changed();
  }
}
