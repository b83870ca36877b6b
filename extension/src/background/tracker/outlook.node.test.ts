import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chromeOutlook } from "./outlook";

const tab = { id: 7, windowId: 1, url: "https://tea.test/", title: "Tea", incognito: false };
let shown: string;
const choice = { tracking: true, untrackedSites: ["bank.test"] };

vi.mock("../page-calls", () => ({
  callPage: async () => [{ frameId: 0, documentId: "d", value: { url: shown, title: "Read" } }],
}));
vi.mock("../tab-facts", () => ({ isOrdinary: () => true }));
vi.mock("../link/launch", () => ({ readLaunch: async () => undefined }));

beforeEach(() => {
  shown = tab.url;
  vi.stubGlobal("chrome", {
    tabs: { TAB_ID_NONE: -1, query: async () => [{ ...tab }], get: async () => ({ ...tab }) },
    windows: { getLastFocused: async () => ({ id: tab.windowId }) },
    storage: { local: { get: async () => ({ ...choice }) } },
  });
});
afterEach(() => vi.unstubAllGlobals());

describe("where the tracker looks", () => {
  const outlook = chromeOutlook(() => {});

  it("is the tab in front, and its page", async () => {
    expect(await outlook.front()).toMatchObject({ tabId: 7, url: tab.url, title: "Tea" });
    expect(await outlook.read(7)).toMatchObject({ url: tab.url, title: "Read" });
  });

  it("is no page that may not be followed and came in between", async () => {
    shown = "https://login.bank.test/";
    await expect(outlook.read(7)).rejects.toThrow("may not be followed");
  });

  it("is nowhere while a site that is left out is in front", async () => {
    vi.stubGlobal("chrome", {
      ...chrome,
      tabs: { TAB_ID_NONE: -1, query: async () => [{ ...tab, url: "https://bank.test/" }] },
    });
    expect(await outlook.front()).toBe("left_out");
  });

  it("is nowhere until the user says so", async () => {
    vi.stubGlobal("chrome", {
      tabs: { TAB_ID_NONE: -1, query: async () => [{ ...tab }] },
      windows: { getLastFocused: async () => ({ id: tab.windowId }) },
      storage: { local: { get: async () => ({}) } },
    });
    expect(await outlook.front()).toBe("off");
  });
});
