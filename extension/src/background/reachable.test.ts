import { beforeEach, describe, expect, it, vi } from "vitest";
import { isReachable, recentTab, refuseUnreachableTab, watchReachability } from "./reachable";

it.each([
  "https://example.com/",
  "http://127.0.0.1:8000/",
  "about:blank",
  "https://chromewebstore.google.com.example.org/",
  "blob:https://example.com/4f",
])("lets %s be read", (address) => {
  expect(isReachable(address)).toBe(true);
});

it.each([
  "chrome://settings",
  "chrome-extension://bigediajialbnoimdpglfonfippifjkl/popup.html",
  "blob:chrome-extension://bigediajialbnoimdpglfonfippifjkl/4f",
  "devtools://devtools/bundled/inspector.html",
  "view-source:https://example.com/",
  "https://chromewebstore.google.com/detail/x",
  "https://chromewebstore.google.com./detail/x",
  "https://chrome.google.com/webstore/detail/x",
  "javascript:alert(1)",
  "no address",
])("keeps every order away from %s", (address) => {
  expect(isReachable(address)).toBe(false);
});

describe("a tab that was asked for just now", () => {
  const heard = new Map<string, (...args: never[]) => void>();
  const event = (name: string) => ({
    addListener: (listener: (...args: never[]) => void) => heard.set(name, listener),
  });
  const tell = (name: string, ...args: unknown[]) => heard.get(name)?.(...(args as never[]));
  const get = vi.fn();

  beforeEach(async () => {
    get.mockReset().mockResolvedValue({ id: 1, url: "https://example.com/", status: "complete" });
    vi.stubGlobal("chrome", {
      tabs: {
        get,
        onUpdated: event("updated"),
        onRemoved: event("removed"),
        onReplaced: event("replaced"),
        onActivated: event("activated"),
        onAttached: event("attached"),
      },
      debugger: { onEvent: event("debugger") },
    });
    watchReachability();
    tell("removed", 1);
    return () => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    };
  });

  it("is not asked for again by the steps that follow", async () => {
    await refuseUnreachableTab(1);
    await refuseUnreachableTab(1);
    expect(get).toHaveBeenCalledTimes(1);
    expect(recentTab(1)).toMatchObject({ id: 1 });
  });

  it.each([
    ["updated", 1, { title: "x" }],
    ["removed", 1],
    ["replaced", 2, 1],
    ["activated", { tabId: 2 }],
    ["attached", 2],
    ["debugger", { tabId: 1 }, "Inspector.targetCrashed"],
  ])("is asked for again after it was %s", async (name, ...args) => {
    await refuseUnreachableTab(1);
    tell(name, ...args);
    expect(recentTab(1)).toBeUndefined();
    get.mockResolvedValue({ id: 1, url: "chrome://settings" });
    await expect(refuseUnreachableTab(1)).rejects.toMatchObject({ code: "unsupported_page" });
    await expect(refuseUnreachableTab(1)).rejects.toMatchObject({ code: "unsupported_page" });
  });

  it("is asked for again when something was heard before the answer came", async () => {
    get.mockImplementation(async () => {
      tell("updated", 1, { url: "chrome://settings" });
      return { id: 1, url: "https://example.com/" };
    });
    await refuseUnreachableTab(1);
    expect(recentTab(1)).toBeUndefined();
  });

  it("is asked for again a second later, since not everything is told", async () => {
    vi.useFakeTimers();
    await refuseUnreachableTab(1);
    vi.advanceTimersByTime(1_001);
    expect(recentTab(1)).toBeUndefined();
  });
});
