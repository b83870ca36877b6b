import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isOwnPage, isPanel } from "./own-pages";

const ID = "bigediajialbnoimdpglfonfippifjkl";
const OWN = `chrome-extension://${ID}`;

beforeEach(() => vi.stubGlobal("chrome", { runtime: { id: ID } }));
afterEach(() => vi.unstubAllGlobals());

const sender = (changes: Partial<chrome.runtime.MessageSender> = {}) => ({
  id: ID,
  origin: OWN,
  url: `${OWN}/sidepanel.html`,
  ...changes,
});
const tab = { id: 7 } as chrome.tabs.Tab;

describe("orders are taken", () => {
  it.each([
    "/sidepanel.html",
    "/sidepanel.html?window",
    "/sidepanel.html?front",
    "/popup.html",
    "/options.html#token",
  ])("from %s", (page) => {
    expect(isOwnPage(sender({ url: OWN + page }))).toBe(true);
  });

  it("from one of them in a tab of its own", () => {
    expect(isOwnPage(sender({ tab, frameId: 0 }))).toBe(true);
  });
});

describe("orders are not taken", () => {
  const other = `chrome-extension://${"a".repeat(32)}`;
  it.each<[string, chrome.runtime.MessageSender | undefined]>([
    ["from nobody", undefined],
    ["from another extension", sender({ id: "a".repeat(32) })],
    ["from a script in a web page", sender({ origin: "https://a.test", url: "https://a.test/" })],
    ["from a web page of such a name", sender({ url: `https://${ID}/sidepanel.html` })],
    ["from another origin", sender({ origin: "https://a.test" })],
    ["from a page of another extension", sender({ url: `${other}/sidepanel.html` })],
    ["from a frame inside a web page", sender({ tab, frameId: 3 })],
    ["from a frame that isn't named", sender({ tab })],
    ["from a page that isn't known", sender({ url: `${OWN}/other.html` })],
    ["from a page below a known one", sender({ url: `${OWN}/x/sidepanel.html` })],
    ["from something without an address", { id: ID, origin: OWN }],
    ["from something without an origin", { id: ID, url: `${OWN}/sidepanel.html` }],
  ])("%s", (_, from) => {
    expect(isOwnPage(from)).toBe(false);
    expect(isPanel(from)).toBe(false);
  });
});

it.each([
  ["/sidepanel.html", true],
  ["/sidepanel.html?window", false],
  ["/sidepanel.html?front", false],
  ["/popup.html", false],
])("says whether %s is a panel to answer in", (page, isOne) => {
  expect(isPanel(sender({ url: OWN + page }))).toBe(isOne);
});
