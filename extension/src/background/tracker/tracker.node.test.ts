import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ContextReport, PageContext, Untold } from "../../protocol/generated";
import { type FrontTab, type Outlook, Tracker } from "./tracker";

const FRONT: FrontTab = {
  tabId: 7,
  windowId: 1,
  url: "https://tea.test/",
  title: "Tea",
  favicon: "",
};
const BASIC = {
  url: FRONT.url,
  domain: "tea.test",
  title: "Tea",
  favicon: "",
  session: { tabId: 7, windowId: 1 },
};

const FOLLOWED = { isFollowed: true, startsOver: false };

let front: FrontTab | Untold;
let page: Record<string, unknown>;
let sent: ContextReport[];
let change: (heard: "changed" | "quiet" | "gone") => void;
const read = vi.fn(async () => ({ ...page }) as unknown as PageContext);
const majorChange = vi.fn(
  () =>
    new Promise<"changed" | "quiet" | "gone">((resolve) => {
      change = resolve;
    }),
);
let tracker: Tracker;

beforeEach(() => {
  vi.useFakeTimers();
  front = FRONT;
  page = { ...BASIC, content: { mainText: "Steep.", headings: ["Tea"] } };
  sent = [];
  read.mockClear();
  majorChange.mockClear();
  const outlook: Outlook = {
    front: async () => front,
    read,
    majorChange,
    send: (report) => sent.push(report),
  };
  tracker = new Tracker(outlook);
});
afterEach(() => vi.useRealTimers());

const passing = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("what the user looks at", () => {
  it("is told half a second after the link is there, without a look into the page", async () => {
    tracker.noticed();
    await passing(5_000);
    expect(sent).toEqual([]);
    tracker.linked();
    await passing(499);
    expect(sent).toEqual([]);
    await passing(1);
    expect(sent).toEqual([{ isWhole: true, changes: BASIC }]);
    expect(read).not.toHaveBeenCalled();
    expect(majorChange).not.toHaveBeenCalled();
  });

  it("is told once for much that happens at once, and not never", async () => {
    tracker.linked();
    for (let count = 0; count < 19; count += 1) {
      tracker.noticed();
      await passing(100);
    }
    expect(sent).toEqual([]);
    tracker.noticed();
    await passing(100);
    expect(sent).toHaveLength(1);
    await passing(5_000);
    expect(sent).toHaveLength(1);
  });

  it("is read at once when somebody begins to follow it", async () => {
    tracker.linked();
    await passing(500);
    tracker.follow(FOLLOWED);
    await passing(0);
    expect(sent[1]).toEqual({ isWhole: false, changes: { content: page.content } });
    tracker.follow(FOLLOWED);
    await passing(5_000);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("is told again when much of it changed, and only what did", async () => {
    tracker.linked();
    tracker.follow(FOLLOWED);
    await passing(0);
    page = { ...page, content: { mainText: "Pour.", headings: ["Tea"] } };
    change("changed");
    await passing(500);
    expect(sent[1]).toEqual({ isWhole: false, changes: { content: { mainText: "Pour." } } });
  });

  it("is looked at ever more seldom while it changes and says nothing new", async () => {
    tracker.linked();
    tracker.follow(FOLLOWED);
    await passing(0);
    for (const [pause, looks] of [
      [500, 2],
      [1_000, 3],
      [2_000, 4],
      [4_000, 5],
      [8_000, 6],
      [8_000, 7],
    ] as const) {
      change("changed");
      await passing(pause - 1);
      expect(read).toHaveBeenCalledTimes(looks - 1);
      await passing(1);
      expect(read).toHaveBeenCalledTimes(looks);
    }
    expect(sent).toHaveLength(1);
    tracker.noticed();
    await passing(500);
    expect(read).toHaveBeenCalledTimes(8);
  });

  it("is waited for again while the page is quiet, and later once it answers nothing", async () => {
    tracker.linked();
    tracker.follow(FOLLOWED);
    await passing(0);
    change("quiet");
    await passing(0);
    expect(majorChange).toHaveBeenCalledTimes(2);
    change("gone");
    await passing(7_999);
    expect(majorChange).toHaveBeenCalledTimes(2);
    expect(read).toHaveBeenCalledTimes(1);
    await passing(1);
    expect(majorChange).toHaveBeenCalledTimes(3);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("is another page's alone, whatever was told before", async () => {
    tracker.linked();
    await passing(500);
    front = { ...FRONT, url: "https://tea.test/green", favicon: "" };
    tracker.noticed();
    await passing(500);
    expect(sent[1]).toEqual({ isWhole: true, changes: { ...BASIC, url: front.url } });
  });

  it("is told whole again to a hub that lost it", async () => {
    tracker.linked();
    tracker.follow(FOLLOWED);
    await passing(0);
    tracker.follow({ isFollowed: true, startsOver: true });
    await passing(0);
    expect(sent[1]).toEqual({ isWhole: true, changes: page });
  });

  it("is address and title alone again once nobody follows it", async () => {
    tracker.linked();
    tracker.follow(FOLLOWED);
    await passing(0);
    tracker.follow({ isFollowed: false, startsOver: false });
    await passing(0);
    expect(sent[1]).toEqual({ isWhole: false, changes: { content: null } });
    change("changed");
    await passing(60_000);
    expect(sent).toHaveLength(2);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("is forgotten where it may not be followed", async () => {
    tracker.linked();
    await passing(500);
    front = "left_out";
    tracker.chosen();
    await passing(0);
    expect(sent[1]).toEqual({ isWhole: true, changes: {}, untold: "left_out" });
  });

  it("is nothing where it never may be followed", async () => {
    front = "off";
    tracker.linked();
    tracker.follow(FOLLOWED);
    await passing(5_000);
    expect(sent).toEqual([{ isWhole: true, changes: {}, untold: "off" }]);
    expect(read).not.toHaveBeenCalled();
  });

  it("is nothing for another reason, which is told as well", async () => {
    front = "off";
    tracker.linked();
    await passing(500);
    front = "left_out";
    tracker.chosen();
    await passing(0);
    tracker.chosen();
    await passing(0);
    expect(sent.map((report) => report.untold)).toEqual(["off", "left_out"]);
  });

  it("is told by what the browser knows where the page can't be read", async () => {
    read.mockRejectedValueOnce(new Error("No page."));
    tracker.linked();
    tracker.follow(FOLLOWED);
    await passing(0);
    expect(sent).toEqual([{ isWhole: true, changes: BASIC }]);
  });

  it("is told whole to the next hub, which nobody follows until it says so", async () => {
    tracker.linked();
    tracker.follow(FOLLOWED);
    await passing(0);
    tracker.unlinked();
    tracker.noticed();
    await passing(5_000);
    expect(sent).toHaveLength(1);
    tracker.linked();
    await passing(500);
    expect(sent[1]).toEqual({ isWhole: true, changes: BASIC });
    expect(read).toHaveBeenCalledTimes(1);
  });
});
