import "../theme.css";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import markup from "../entrypoints/popup/index.html?raw";
import { byId } from "../status-words";
import { type FakeWorker, fakeWorker, helm, permission, showPage } from "../worker.fixture";
import { startPopup } from "./popup";

let worker: FakeWorker;
const close = vi.fn();

beforeEach(() => {
  showPage(markup);
  vi.stubGlobal("close", close.mockReset());
  worker = fakeWorker();
  startPopup();
});
afterEach(() => vi.unstubAllGlobals());

const text = (id: string) => byId(id, HTMLElement).textContent;
const button = (id: string) => byId(id, HTMLButtonElement);

describe("the popup", () => {
  it.each([
    ["disconnected", "Disconnected", "--red", { connect: true, disconnect: false }],
    ["connecting", "Connecting…", "--yellow", { connect: false, disconnect: false }],
    ["connected", "Connected", "--green", { connect: false, disconnect: true }],
  ] as const)("shows that the link is %s", (state, words, colour, enabled) => {
    worker.say({ state });
    expect(text("state")).toBe(words);
    const style = getComputedStyle(byId("state", HTMLElement));
    expect(style.getPropertyValue("--state")).toBe(style.getPropertyValue(colour));
    expect(style.getPropertyValue("--state")).not.toBe("");
    expect(button("connect").disabled).toBe(!enabled.connect);
    expect(button("disconnect").disabled).toBe(!enabled.disconnect);
  });

  it("can do nothing before the worker has spoken", () => {
    expect(button("connect").disabled).toBe(true);
    expect(button("disconnect").disabled).toBe(true);
  });

  it("passes on what is pressed", async () => {
    worker.say();
    await userEvent.click(button("connect"));
    worker.say({ state: "connected" });
    await userEvent.click(button("disconnect"));
    expect(worker.orders).toEqual([{ order: "connect" }, { order: "disconnect" }]);
  });

  it("passes on nothing that a script presses", () => {
    worker.say({ isStopped: true });
    const label = document.querySelector<HTMLElement>(".switch");
    const [enabled, track] = ["enabled", "track"].map((id) => byId(id, HTMLElement));
    for (const each of [button("connect"), button("go-on"), enabled, track, label]) {
      each?.click();
    }
    expect(worker.orders).toEqual([]);
    expect(byId("enabled", HTMLInputElement).checked).toBe(true);
  });

  it("can be used with the keyboard", async () => {
    worker.say();
    button("connect").focus();
    await userEvent.keyboard("{Enter}");
    byId("enabled", HTMLInputElement).focus();
    await userEvent.keyboard(" ");
    expect(worker.orders).toEqual([{ order: "connect" }, { order: "setEnabled", enabled: false }]);
  });

  it("has a switch that says how it stands and passes a change on", async () => {
    worker.say();
    expect(text("switch-word")).toBe("On");
    await userEvent.click(byId("enabled", HTMLInputElement));
    expect(worker.orders).toEqual([{ order: "setEnabled", enabled: false }]);
    worker.say({ enabled: false, problem: "No hub answers." });
    expect(text("switch-word")).toBe("Off");
    expect(byId("enabled", HTMLInputElement).checked).toBe(false);
    expect(button("connect").disabled).toBe(true);
    expect(text("problem")).toBe("");
  });

  it("says why there is no link, with commands as code", () => {
    worker.say({ problem: "Run `outrigger up` first." });
    expect(text("problem")).toBe("Run outrigger up first.");
    expect(document.querySelector("#problem code")?.textContent).toBe("outrigger up");
  });

  it("shows the hub's address, and whether the hub launched the browser", () => {
    worker.say({ hub: "127.0.0.1:9010" });
    expect(text("hub")).toBe("127.0.0.1:9010");
    worker.say({ isLaunched: true });
    expect(text("hub")).toBe("127.0.0.1:9009 (launched by it)");
    worker.say({ isThroughHost: true });
    expect(text("hub")).toContain("without a token");
  });

  it.each([
    [0, "Not attached"],
    [1, "Attached to 1 tab"],
    [3, "Attached to 3 tabs"],
  ])("says where the debugger is: %i", (debuggedTabs, words) => {
    worker.say({ debuggedTabs });
    expect(byId("debugger", HTMLElement).hidden).toBe(false);
    expect(text("debugger")).toBe(words);
  });

  it("has no line for a debugger that the build lacks", () => {
    worker.say({ debuggedTabs: undefined });
    expect(byId("debugger", HTMLElement).hidden).toBe(true);
    expect(byId("debugger-term", HTMLElement).hidden).toBe(true);
  });

  it("lists the latest event first", () => {
    worker.say();
    expect(text("log")).toBe("Nothing yet.");
    const log = [
      { at: 1, what: "first" },
      { at: 2, what: "<b>second</b>" },
    ];
    worker.say({ log });
    const lines = [...document.querySelectorAll("#log li span")].map((line) => line.textContent);
    expect(lines).toEqual(["<b>second</b>", "first"]);
  });

  it("stops everything with one click, and lets go on", async () => {
    worker.say({ state: "connected", helm: helm([{}]) });
    const stop = button("stop-everything");
    expect(stop.hidden).toBe(false);
    await userEvent.click(stop);
    expect(worker.orders).toEqual([{ order: "user", command: { command: "stopEverything" } }]);
    worker.say({ state: "connected", helm: helm([{}]), isStopped: true });
    expect(stop.hidden).toBe(true);
    expect(byId("stopped", HTMLElement).hidden).toBe(false);
    expect(text("agents")).toBe("1 stopped");
    await userEvent.click(button("go-on"));
    expect(worker.orders[1]).toEqual({ order: "user", command: { command: "goOn" } });
  });

  it("has nothing to stop without an agent", () => {
    worker.say({ state: "connected", helm: helm([]) });
    expect(button("stop-everything").hidden).toBe(true);
    expect(text("agents")).toBe("None at work");
  });

  it("counts agents", () => {
    worker.say({ helm: helm([{}, { session: "b" }]) });
    expect(text("agents")).toBe("2 at work");
    expect(byId("waiting", HTMLElement).checkVisibility()).toBe(false);
  });

  it("says that what you do is recorded, and for whom, and ends it when you say so", async () => {
    const recording = { kind: "recording", client: "cursor", id: 9 } as const;
    worker.say({ helm: helm([{}], [recording]) });
    expect(text("recording-words")).toBe("Recording what you do in a tab, for cursor.");
    expect(byId("waiting", HTMLElement).checkVisibility()).toBe(false);
    await userEvent.click(button("stop-recording"));
    expect(worker.orders).toContainEqual({
      order: "user",
      command: { command: "accept", request: 9 },
    });
    worker.say({ helm: helm([{}], []) });
    expect(byId("recording", HTMLElement).checkVisibility()).toBe(false);
  });

  it.each([
    [[{}], "1 question waits."],
    [[{}, permission({}, { id: 2 })], "2 questions wait."],
  ])("says how many questions wait, and leads to them", async (requests, words) => {
    worker.say({ helm: helm([{}], requests) });
    expect(text("waiting-words")).toBe(words);
    await userEvent.click(button("answer"));
    expect(worker.openSidePanel).toHaveBeenCalledOnce();
    expect(worker.orders).toEqual([]);
    await vi.waitFor(() => expect(close).toHaveBeenCalled());
  });

  it("has the worker open a window where Chrome opens no panel", async () => {
    worker.openSidePanel.mockRejectedValue(new Error("No gesture."));
    worker.say({ helm: helm([{}], [permission()]) });
    await userEvent.click(button("answer"));
    expect(worker.orders).toEqual([{ order: "openPanel" }]);
  });

  it.each([
    [{ isOn: false }, "No agent follows what you look at.", { site: false }],
    [{ site: undefined }, "What you look at now is never followed.", { site: false }],
    [{ isSiteExcluded: true }, "No agent follows this site.", { site: true }],
    [{}, "Agents may know its address and title; none reads the page.", { site: true }],
    [{ isFollowed: true }, "An agent reads along on this page.", { site: true }],
  ])("says what agents may follow: %o", (changes, words, shown) => {
    const on = { isOn: true, isFollowed: false, site: "tea.test", isSiteExcluded: false };
    worker.say({ tracking: { ...on, ...changes } });
    expect(text("tracking-words")).toBe(words);
    expect(byId("track-site-line", HTMLElement).checkVisibility()).toBe(shown.site);
  });

  it("has a switch for following, and one for the site", async () => {
    const tracking = { isOn: false, isFollowed: false, site: "tea.test", isSiteExcluded: false };
    worker.say({ tracking });
    await userEvent.click(byId("track", HTMLInputElement));
    worker.say({ tracking: { ...tracking, isOn: true } });
    expect(text("site")).toBe("tea.test");
    await userEvent.click(byId("track-site", HTMLInputElement));
    expect(worker.orders).toEqual([
      { order: "setTracking", isOn: true },
      { order: "setSiteTracking", site: "tea.test", isOn: false },
    ]);
    worker.say({ tracking: undefined });
    expect(byId("tracking", HTMLElement).checkVisibility()).toBe(false);
  });

  it("leads to the panel", () => {
    byId("panel", HTMLAnchorElement).click();
    expect(worker.openSidePanel).toHaveBeenCalledOnce();
  });

  it("leads to the options", () => {
    byId("options", HTMLAnchorElement).click();
    expect(worker.openOptionsPage).toHaveBeenCalledOnce();
  });

  it("opens another port when the worker ended", () => {
    worker.stop();
    expect(worker.connections()).toBe(2);
    worker.say({ state: "connected" });
    expect(text("state")).toBe("Connected");
  });
});
