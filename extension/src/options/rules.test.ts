import "../theme.css";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import markup from "../entrypoints/options/index.html?raw";
import type { Rules } from "../protocol/generated";
import { byId } from "../status-words";
import { type FakeWorker, fakeWorker, helm, showPage } from "../worker.fixture";
import { startOptions } from "./options";

let worker: FakeWorker;

beforeEach(() => {
  showPage(markup);
  worker = fakeWorker();
  startOptions();
});
afterEach(() => vi.unstubAllGlobals());

const RULES: Rules = {
  policies: [
    { tools: "tab_read:dom", origins: "https://example.com", allow: true },
    { tools: "*", origins: "*.bank.example", allow: false },
  ],
  sites: [{ domain: "evil.example", list: "blocked" }],
};
const say = (rules: Rules) => worker.say({ helm: { ...helm([]), rules } });
const rows = (id: string) =>
  [...byId(id, HTMLElement).children].map(({ children }) =>
    [...children].map(({ textContent }) => textContent),
  );
const commands = () => worker.orders.map((order) => order.order === "user" && order.command);

describe("what the user decided for good", () => {
  it("is not shown where the hub tells of nothing", () => {
    worker.say({ helm: helm([]) });
    expect(byId("rules", HTMLElement).checkVisibility()).toBe(false);
  });

  it("is listed with how it stands", () => {
    say(RULES);
    expect(rows("policies")).toEqual([
      ["Allowed", "tab_read:dom on https://example.com", "Forget"],
      ["Denied", "* on *.bank.example", "Forget"],
    ]);
    expect(byId("no-policies", HTMLElement).checkVisibility()).toBe(false);
    say({ policies: [], sites: [] });
    expect(byId("no-policies", HTMLElement).checkVisibility()).toBe(true);
  });

  it("is taken back by the user's own press alone", async () => {
    say(RULES);
    const forget = byId("policies", HTMLElement).querySelector("button") as HTMLButtonElement;
    forget.click();
    expect(commands()).toEqual([]);
    await userEvent.click(forget);
    expect(commands()).toEqual([
      { command: "forgetRule", tools: "tab_read:dom", origins: "https://example.com" },
    ]);
  });

  it("takes sites in, and lets them go", async () => {
    say(RULES);
    await userEvent.type(byId("site", HTMLInputElement), " shop.example ");
    await userEvent.click(byId("block-site", HTMLButtonElement));
    await userEvent.click(byId("sites", HTMLElement).querySelector("button") as HTMLButtonElement);
    expect(commands()).toEqual([
      { command: "listSite", domain: "shop.example", list: "blocked" },
      { command: "listSite", domain: "evil.example" },
    ]);
  });
});
