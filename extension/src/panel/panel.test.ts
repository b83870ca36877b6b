import "../theme.css";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import markup from "../entrypoints/sidepanel/index.html?raw";
import { byId } from "../status-words";
import { type FakeWorker, fakeWorker, helm, showPage } from "../worker.fixture";
import { startPanel } from "./panel";

let worker: FakeWorker;

beforeEach(async () => {
  showPage(markup);
  worker = fakeWorker();
  startPanel();
  // The tabs are known a moment later.
  await vi.waitFor(() => {
    worker.say({ state: "connected", helm: helm([{}]) });
    expect(byId("tab-name", HTMLElement).textContent).toBe("Mail");
  });
});
afterEach(() => vi.unstubAllGlobals());

const shown = (element: Element) => (element as HTMLElement).checkVisibility();
const buttons = (within: string) =>
  [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)].filter(shown);
const words = (within: string) => buttons(within).map(({ textContent }) => textContent);
const find = (within: string, name: string) => {
  const found = buttons(within).find(({ textContent }) => textContent === name);
  if (!found) throw new Error(`There is no button "${name}".`);
  return found;
};
const press = (within: string, name: string) => userEvent.click(find(within, name));
const lastCommand = () => {
  const last = worker.orders.at(-1);
  return last?.order === "user" ? last.command : undefined;
};

describe("the panel", () => {
  it("says when nobody is at work", () => {
    worker.say({ state: "connected", helm: helm([]) });
    expect(shown(byId("nobody", HTMLElement))).toBe(true);
    expect(shown(byId("tab-section", HTMLElement))).toBe(false);
    expect(shown(byId("requests-section", HTMLElement))).toBe(false);
  });

  it("shows who is at work, at what, and in which tabs", async () => {
    worker.say({ helm: helm([{ doing: "browser_fill_form", tabs: [2], tabsElsewhere: 1 }]) });
    const card = document.querySelector<HTMLElement>(".session");
    expect(card?.textContent).toContain("claude-code");
    expect(card?.textContent).toContain("Now: fill form · 1 tab in another browser");
    expect(card?.textContent).toContain("Shop");
    await press(".session", "Take back");
    expect(lastCommand()).toEqual({ command: "takeBack", tabId: 2 });
  });

  it.each([
    ["working", ["Pause", "Stop"]],
    ["paused", ["Resume", "Stop"]],
    ["stopped", ["Resume"]],
  ] as const)("offers what can be done with a session that is %s", async (standing, offered) => {
    worker.say({ helm: helm([{ standing }]) });
    expect(words(".session")).toEqual(offered);
    for (const name of offered) {
      await press(".session", name);
      expect(lastCommand()).toEqual({ command: name.toLowerCase(), session: "a" });
    }
  });

  it("tells two agents of one name apart", () => {
    worker.say({ helm: helm([{}, { session: "b" }], [{ session: "b" }]) });
    const names = [...document.querySelectorAll("#sessions h3")].map((name) => name.textContent);
    expect(names).toEqual(["claude-code (a)", "claude-code (b)"]);
    expect(document.querySelector(".request h3")?.textContent).toContain("claude-code (b) asks");
    expect(words("#tab-buttons")).toEqual([
      "Share with claude-code (a)",
      "Share with claude-code (b)",
    ]);
  });

  it("keeps its buttons while what they stand for changes", () => {
    worker.say({ helm: helm([{}, { session: "b" }]) });
    const before = buttons(".session");
    worker.say({ helm: helm([{ doing: "browser_click" }, { session: "b" }]) });
    expect(buttons(".session")).toEqual(before);
    worker.say({ helm: helm([{ session: "b" }]) });
    expect(buttons(".session")).toEqual(before.slice(2));
  });

  it("shares the tab in front, and takes it back", async () => {
    worker.say({ helm: helm([{}, { session: "b", client: "cursor" }]) });
    expect(words("#tab-buttons")).toEqual(["Share with claude-code", "Share with cursor"]);
    await press("#tab-buttons", "Share with cursor");
    expect(lastCommand()).toEqual({ command: "share", session: "b", tabId: 1 });
    worker.say({ helm: helm([{}, { session: "b", client: "cursor", tabs: [1] }]) });
    expect(byId("tab-owner", HTMLElement).textContent).toBe("cursor works in it.");
    expect(words("#tab-buttons")).toEqual(["Take it back"]);
    await press("#tab-buttons", "Take it back");
    expect(lastCommand()).toEqual({ command: "takeBack", tabId: 1 });
  });

  it("passes an answer on, but not one given in haste", async () => {
    worker.say({ helm: helm([{}], [{ what: "<b>Log in</b>" }, { id: 2, kind: "tab" }]) });
    const [first, second] = document.querySelectorAll<HTMLElement>(".request");
    expect(first?.textContent).toContain("<b>Log in</b>");
    expect(second?.textContent).toContain("claude-code asks for the tab you are looking at");
    expect(second?.textContent).toContain("Mail");
    expect(buttons(".request").map(({ disabled }) => disabled)).toEqual([true, false, true, false]);
    expect(document.activeElement).toBe(document.body);
    await vi.waitFor(() => expect(buttons(".request").some((each) => each.disabled)).toBe(false));
    await press(".request", "Done");
    expect(lastCommand()).toEqual({ command: "accept", request: 1 });
    await press(".request", "Allow");
    expect(lastCommand()).toEqual({ command: "accept", request: 2, tabId: 1 });
    worker.say({ helm: helm([{}], [{ id: 3 }]) });
    await press(".request", "Refuse");
    expect(lastCommand()).toEqual({ command: "refuse", request: 3 });
  });

  it("takes one answer, and shows that it has it", async () => {
    const asked = [{ what: "Log in" }, { id: 2 }];
    worker.say({ helm: helm([{}], asked) });
    await press(".request", "Refuse");
    worker.say({ helm: helm([{}], asked) });
    const given = () => buttons(".request").map(({ disabled }) => disabled);
    await vi.waitFor(() => expect(given()).toEqual([true, true, false, false]));
  });

  it("passes on nothing that a script presses", async () => {
    const sessions = [{}, { session: "b", standing: "stopped" }] as const;
    worker.say({ helm: helm([...sessions], [{}]), isStopped: true });
    await vi.waitFor(() => expect(buttons("body").some(({ disabled }) => disabled)).toBe(false));
    for (const each of buttons("body")) each.click();
    expect(words("body")).toContain("Share with claude-code (a)");
    expect(words("body")).toContain("Resume");
    expect(words("body")).toContain("Let them go on");
    expect(worker.orders).toEqual([]);
  });

  it("tells each worker whether it can be seen, and when that changes", () => {
    expect(worker.sights).toEqual([true]);
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    document.dispatchEvent(new Event("visibilitychange"));
    worker.stop();
    visibility.mockRestore();
    document.dispatchEvent(new Event("visibilitychange"));
    expect(worker.sights).toEqual([true, false, false, true]);
  });

  it("stops everything, and lets go on", async () => {
    await userEvent.click(byId("stop-everything", HTMLButtonElement));
    expect(lastCommand()).toEqual({ command: "stopEverything" });
    worker.say({ helm: { ...helm([{}]), everythingStopped: true }, isStopped: true });
    expect(document.querySelector<HTMLElement>(".session")?.textContent).toContain("Stopped");
    expect(buttons(".session").every(({ disabled }) => disabled)).toBe(true);
    await userEvent.click(byId("go-on", HTMLButtonElement));
    expect(lastCommand()).toEqual({ command: "goOn" });
  });
});
