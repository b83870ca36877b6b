import "../theme.css";
import "./panel.css";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import markup from "../entrypoints/sidepanel/index.html?raw";
import type { UserRequest } from "../protocol/generated";
import { byId } from "../status-words";
import { type FakeWorker, fakeWorker, helm, permission, showPage } from "../worker.fixture";
import { startPanel } from "./panel";

const ALLOWING = ["Allow once", "Allow for this session", "Always allow"];
const DENYING = ["Deny", "Never allow"];

let worker: FakeWorker;

beforeEach(() => {
  showPage(markup);
  worker = fakeWorker();
  startPanel();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ask = (...requests: Partial<UserRequest>[]) => worker.say({ helm: helm([{}], requests) });
const cards = () => [...document.querySelectorAll<HTMLElement>(".request")];
const card = (at = 0) => {
  const found = cards()[at];
  if (!found) throw new Error(`There is no request ${at}.`);
  return found;
};
const buttons = (at = 0) =>
  [...card(at).querySelectorAll("button")].filter((each) => each.checkVisibility());
const button = (name: string, at = 0) => {
  const found = buttons(at).find(({ textContent }) => textContent === name);
  if (!found) throw new Error(`There is no button "${name}".`);
  return found;
};
const live = (at = 0) =>
  buttons(at)
    .filter(({ disabled }) => !disabled)
    .map(({ textContent }) => textContent);
const untilLive = (at = 0) => vi.waitFor(() => expect(live(at)).toContain("Allow once"));
const timer = () => card().querySelector('[role="timer"]')?.textContent;

describe("a permission that is asked for", () => {
  it("says who asks, for what, where and with what", () => {
    const text = "<b>Dear</b> all,\n\u202Eexe.fdp";
    ask(permission({ with: [{ label: "Text", text }] }, { what: "Type into <i>Message</i>" }));
    expect(card().querySelector("h3")?.textContent).toBe("claude-code asks for your permission");
    expect(card().querySelector(".wish")?.textContent).toBe("Type into <i>Message</i>");
    expect(card().querySelector(".origin")?.innerHTML).toBe(
      "https://shop.<b>example.co.uk</b>:8443",
    );
    const detail = card().querySelector<HTMLElement>(".detail");
    expect(detail?.textContent).toBe("<b>Dear</b> all,↵\nU+202Eexe.fdp");
    expect(detail?.ariaLabelledByElements?.[0]?.textContent).toBe("Text");
    expect(card().textContent).toContain("tab_action:click");
    expect(byId("announcement", HTMLElement).textContent).toBe(
      "claude-code asks for your permission",
    );
  });

  it.each([
    ["https://paypal.com.evil.test", "evil.test", "https://paypal.com.<b>evil.test</b>"],
    ["https://a.test.a.test", "a.test", "https://a.test.<b>a.test</b>"],
    ["http://[::1]:8080", "[::1]", "http://<b>[::1]</b>:8080"],
    ["*.example.com", "*.example.com", "<b>*.example.com</b>"],
    ["https://odd.test", "other.test", "<b>https://odd.test</b>"],
  ])("has whose %s is in bold", (origin, domain, shown) => {
    ask(permission({ places: [{ origin, domain }] }));
    expect(card().querySelector(".origin")?.innerHTML).toBe(shown);
  });

  it("shows how a place would be read", () => {
    const origin = "https://xn--pypal-4ve.com";
    ask(permission({ places: [{ origin, domain: "xn--pypal-4ve.com", readsAs: "pаypal.com" }] }));
    expect(card().querySelector(".reads-as")?.textContent).toBe("reads as pаypal.com");
  });

  it("tells two agents of one name apart", () => {
    worker.say({ helm: helm([{}, { session: "b" }], [permission({}, { session: "b" })]) });
    expect(card().querySelector("h3")?.textContent).toContain("claude-code (b) asks");
  });

  it("keeps long text within the panel", () => {
    const text = "x".repeat(20_000);
    ask(permission({ with: [{ label: "Text", text }], warnings: [text], keys: [text] }));
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(innerWidth);
    expect(card().querySelector(".detail")?.clientHeight).toBeLessThan(200);
  });

  it.each([
    ["Allow once", true, "once"],
    ["Allow for this session", true, "session"],
    ["Always allow", true, "always"],
    ["Deny", false, "once"],
    ["Never allow", false, "always"],
  ] as const)("can be answered with “%s”, once", async (name, allow, term) => {
    ask(permission());
    await untilLive();
    expect(live()).toEqual([...ALLOWING, ...DENYING]);
    await userEvent.click(button(name));
    const command = { command: "decide", request: 1, allow, term };
    expect(worker.orders).toEqual([{ order: "user", command }]);
    expect(live()).toEqual([]);
    expect(timer()).toBe(`Your answer: ${name}.`);
  });

  it("can be answered with the keyboard", async () => {
    ask(permission());
    await untilLive();
    button("Allow once").focus();
    await userEvent.keyboard("{Enter}");
    expect(worker.orders).toHaveLength(1);
  });

  it("is not answered by a script", async () => {
    ask(permission());
    await untilLive();
    for (const each of buttons()) {
      each.click();
      each.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    }
    expect(worker.orders).toEqual([]);
  });

  it("has no answer that is kept where it is asked each time", async () => {
    ask(permission({ eachTime: true, warnings: ["This pays."] }));
    await untilLive();
    expect(live()).toEqual(["Allow once", "Deny"]);
    expect(card().querySelector("h3")?.textContent).toBe("claude-code asks you to confirm this");
    expect(card().querySelector(".warnings")?.textContent).toBe("This pays.");
  });

  it("is confirmed or not where it changes what every agent may do", async () => {
    ask(permission({ eachTime: true, beyond: "rules" }));
    await vi.waitFor(() => expect(live()).toEqual(["Confirm", "Deny"]));
    expect(card().textContent).toContain("This holds for every agent");
    expect(card().textContent).not.toContain("not kept");
  });

  it("has no answer for one call where it is about a plan", async () => {
    ask(permission({ beyond: "plan" }));
    await vi.waitFor(() => expect(live()).toEqual([...ALLOWING.slice(1), ...DENYING]));
  });

  it("counts down without a word to screen readers, and is denied in the end", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    ask(permission({ untilMs: Date.now() + 2_500 }));
    expect(timer()).toBe("Without an answer it is denied in 3 s.");
    vi.advanceTimersByTime(600);
    expect(timer()).toBe("Without an answer it is denied in 2 s.");
    expect(live()).toEqual([...ALLOWING, ...DENYING]);
    expect(card().querySelector("[aria-live], [role=alert], [role=status]")).toBeNull();
    vi.advanceTimersByTime(2_000);
    expect(timer()).toBe("No answer came in time: it was denied.");
    expect(live()).toEqual([]);
  });
});

describe("consent is not given in haste", () => {
  it("when the question appears", async () => {
    ask(permission());
    expect(live()).toEqual(DENYING);
    expect(document.activeElement).toBe(document.body);
    await userEvent.click(button("Deny"));
    expect(worker.orders).toHaveLength(1);
  });

  it("when the question changes", async () => {
    const untilMs = Date.now() + 60_000;
    ask(permission({ untilMs }));
    await untilLive();
    ask(permission({ untilMs, keys: ["tab_action:hover"] }));
    expect(live()).toEqual(DENYING);
    await untilLive();
  });

  it("when the question is moved", async () => {
    const second = permission({}, { id: 2 });
    ask(permission(), second);
    await untilLive(1);
    const moved = card(1);
    ask(second);
    expect(card()).toBe(moved);
    expect(live()).toEqual(DENYING);
    await untilLive();
    byId("problem", HTMLElement).textContent = "What comes in above pushes it down.";
    await vi.waitFor(() => expect(live()).toEqual(DENYING));
  });

  it.each([
    ["comes to the front", () => window.dispatchEvent(new Event("focus"))],
    ["becomes visible", () => document.dispatchEvent(new Event("visibilitychange"))],
  ])("when the window %s", async (_, happen) => {
    ask(permission(), { id: 2 });
    await untilLive();
    happen();
    expect(live()).toEqual(DENYING);
    expect(live(1)).toEqual(["Refuse"]);
    await untilLive();
  });

  it("but is not held up when nothing happens to the question", async () => {
    const question = permission();
    ask(question);
    await untilLive();
    worker.say({ helm: helm([{ doing: "browser_click" }], [question]) });
    expect(live()).toEqual([...ALLOWING, ...DENYING]);
  });
});

describe("several questions", () => {
  it("stand one below the other, the oldest first", () => {
    ask(permission({}, { id: 7 }), { id: 3 }, permission({}, { id: 5, what: "Open a page" }));
    const asked = cards().map((each) => each.querySelector(".wish")?.textContent);
    expect(asked).toEqual(["Please log in.", "Open a page", "Click “Add to basket”"]);
    expect(byId("requests-title", HTMLElement).textContent).toBe("Waiting for you (3)");
  });

  it("are announced one by one", () => {
    ask(permission());
    ask(permission(), { id: 2 });
    const announced = byId("announcement", HTMLElement);
    expect(announced.textContent).toBe("claude-code asks you to do something");
    expect(announced.ariaLive).toBe("polite");
  });
});
