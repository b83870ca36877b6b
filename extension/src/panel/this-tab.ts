// The tab in front: share it with an agent, or take it back.
import type { AgentSession, UserCommand } from "../protocol/generated";
import { byId } from "../status-words";
import { button, KeyedList, setText } from "./keyed-list";
import type { OpenTabs } from "./open-tabs";

export class ThisTab {
  readonly #tabs: OpenTabs;
  readonly #takers: KeyedList<AgentSession>;
  readonly #back: HTMLButtonElement;

  constructor(tabs: OpenTabs, order: (command: UserCommand) => void) {
    this.#tabs = tabs;
    const tabId = () => tabs.current?.id ?? -1;
    const buttons = byId("tab-buttons", HTMLDivElement);
    this.#back = button("Take it back", () => order({ command: "takeBack", tabId: tabId() }));
    buttons.append(this.#back);
    this.#takers = new KeyedList(buttons, ({ session }) => {
      const share = () => order({ command: "share", session, tabId: tabId() });
      const element = button("", share);
      return { element, show: ({ client }) => setText(element, `Share with ${client}`) };
    });
  }

  show(sessions: readonly AgentSession[]): void {
    const { current } = this.#tabs;
    const owner = sessions.find(({ tabs }) => current && tabs.includes(current.id));
    byId("tab-section", HTMLElement).hidden = sessions.length === 0 || !current?.isPage;
    setText(byId("tab-name", HTMLParagraphElement), current?.name ?? "");
    const words = owner ? `${owner.client} works in it.` : "It is not shared.";
    setText(byId("tab-owner", HTMLParagraphElement), words);
    this.#back.hidden = !owner;
    const takers = owner ? [] : sessions;
    this.#takers.show(new Map(takers.map((each) => [each.session, each])));
  }
}
