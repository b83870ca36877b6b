import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import markup from "../entrypoints/sidepanel/index.html?raw";
import { byId } from "../status-words";
import { type FakeWorker, fakeWorker, helm, permission, showPage } from "../worker.fixture";
import { startPanel } from "./panel";

let worker: FakeWorker;

beforeEach(() => {
  showPage(markup);
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  worker = fakeWorker();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the window that was opened for asking", () => {
  beforeEach(() => startPanel("?window"));

  it("closes when nothing is asked any more", () => {
    worker.say({ helm: helm([{}], [permission()]) });
    vi.advanceTimersByTime(20_000);
    expect(worker.orders).toEqual([]);
    worker.say({ helm: helm([{}]) });
    worker.say({ helm: helm([{ doing: "browser_click" }]) });
    vi.advanceTimersByTime(1_500);
    expect(worker.orders).toEqual([{ order: "closeAskWindow" }]);
  });

  it("stays for what is asked next", () => {
    worker.say({ helm: helm([{}], [permission()]) });
    worker.say({ helm: helm([{}]) });
    vi.advanceTimersByTime(1_000);
    worker.say({ helm: helm([{}], [permission({}, { id: 2 })]) });
    vi.advanceTimersByTime(20_000);
    expect(worker.orders).toEqual([]);
  });

  it("waits for a worker that died, but not for ever", () => {
    worker.say({ helm: helm([{}], [permission()]) });
    worker.say({ state: "connecting" });
    vi.advanceTimersByTime(20_000);
    expect(worker.orders).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect(worker.orders).toEqual([{ order: "closeAskWindow" }]);
  });

  it("offers the tab of the window that the user was in last", async () => {
    await vi.waitFor(() => {
      worker.say({ helm: helm([{}], [{ kind: "tab" }]) });
      expect(byId("tab-name", HTMLElement).textContent).toBe("Shop");
    });
    expect(document.querySelector(".request")?.textContent).toContain("Shop");
  });
});

it("any other panel stays open", () => {
  startPanel("");
  worker.say({ helm: helm([{}], [permission()]) });
  worker.say({ helm: helm([]) });
  vi.advanceTimersByTime(60_000);
  expect(worker.orders).toEqual([]);
});
