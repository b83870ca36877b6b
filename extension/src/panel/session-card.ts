// One agent session: who it is, what it does, its tabs, and the user's hand on it.
import type { AgentSession, UserCommand } from "../protocol/generated";
import { button, type Card, KeyedList, make, setText } from "./keyed-list";
import type { OpenTabs } from "./open-tabs";

type Order = (command: UserCommand) => void;

export interface ShownSession extends AgentSession {
  everythingStopped: boolean;
}

export function sessionCard(
  { session }: AgentSession,
  tabs: OpenTabs,
  order: Order,
): Card<ShownSession> {
  const name = make("h3");
  const standing = make("span", "standing");
  const doing = make("p", "soft");
  const tabList = make("ul", "tabs");
  const pause = button("Pause", () => order({ command: "pause", session }));
  const resume = button("Resume", () => order({ command: "resume", session }), "primary");
  const stop = button("Stop", () => order({ command: "stop", session }));
  const element = make(
    "li",
    "card session",
    make("div", "line", name, standing),
    doing,
    tabList,
    make("div", "buttons", pause, resume, stop),
  );
  const list = new KeyedList<number>(tabList, (tab) => tabItem(tab, tabs, order));
  return {
    element,
    show(shown) {
      element.dataset.colour = shown.colour;
      element.dataset.standing = shown.everythingStopped ? "stopped" : shown.standing;
      element.title = shown.session;
      setText(name, shown.client);
      setText(standing, standingWords(shown));
      setText(doing, doingWords(shown));
      list.show(new Map(shown.tabs.map((tab) => [String(tab), tab])));
      pause.hidden = shown.standing !== "working";
      resume.hidden = shown.standing === "working";
      stop.hidden = shown.standing === "stopped";
      for (const each of [pause, resume, stop]) each.disabled = shown.everythingStopped;
    },
  };
}

function tabItem(tab: number, tabs: OpenTabs, order: Order): Card<number> {
  const name = make("span", "tab-name");
  const back = button("Take back", () => order({ command: "takeBack", tabId: tab }), "small");
  return {
    element: make("li", "line", name, back),
    show() {
      const words = tabs.get(tab).name;
      setText(name, words);
      name.title = words;
      back.ariaLabel = `Take back ${words}`;
    },
  };
}

function standingWords({ standing, everythingStopped }: ShownSession): string {
  if (everythingStopped || standing === "stopped") return "Stopped";
  return standing === "paused" ? "Paused" : "";
}

function doingWords(shown: ShownSession): string {
  const { standing, doing, barCancelled, tabsElsewhere, everythingStopped } = shown;
  const parts: string[] = [];
  if (barCancelled) parts.push("You cancelled the debugging bar.");
  if (doing !== undefined) parts.push(standing === "paused" ? "Waits to go on" : toolWords(doing));
  else if (standing === "working" && !everythingStopped) parts.push("Idle");
  if (tabsElsewhere > 0) {
    parts.push(`${tabsElsewhere} ${tabsElsewhere === 1 ? "tab" : "tabs"} in another browser`);
  }
  return parts.join(" · ");
}

/** `browser_fill_form` is "Now: fill form". */
function toolWords(tool: string): string {
  if (tool === "browser_ask_human") return "Waits for you";
  return `Now: ${tool.replace(/^(browser|ext)_/, "").replaceAll("_", " ")}`;
}
