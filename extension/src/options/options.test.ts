import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import markup from "../entrypoints/options/index.html?raw";
import { byId } from "../status-words";
import { type FakeWorker, fakeWorker, showPage } from "../worker.fixture";
import { startOptions } from "./options";

let worker: FakeWorker;

beforeEach(() => {
  showPage(markup);
  worker = fakeWorker();
  startOptions();
});
afterEach(() => vi.unstubAllGlobals());

const field = (id: string) => byId(id, HTMLInputElement);
const text = (id: string) => byId(id, HTMLElement).textContent;
const save = () => userEvent.click(byId("save", HTMLButtonElement));

describe("the options page", () => {
  it("saves the address and the token, and forgets the token", async () => {
    worker.say();
    field("hub").value = " ws://localhost:9010 ";
    field("token").value = " secret ";
    await save();
    expect(worker.orders).toEqual([
      { order: "pair", hub: field("hub").value, pairingToken: "secret" },
    ]);
    expect(field("hub").value).toContain("localhost:9010");
    expect(field("token").value).toBe("");
  });

  it("leaves the stored token alone when none is entered", async () => {
    worker.say({ hasPairingToken: true });
    expect(field("token").placeholder).toContain("Stored");
    await save();
    expect(worker.orders).toEqual([{ order: "pair", hub: "127.0.0.1:9009" }]);
  });

  it("saves when Enter is pressed in a field", async () => {
    worker.say();
    await userEvent.type(field("token"), "secret{Enter}");
    expect(worker.orders).toEqual([
      { order: "pair", hub: "127.0.0.1:9009", pairingToken: "secret" },
    ]);
  });

  it("pairs with nothing that a script chose", () => {
    worker.say();
    byId("save", HTMLButtonElement).click();
    byId("form", HTMLFormElement).requestSubmit();
    field("token").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    expect(worker.orders).toEqual([]);
  });

  it("sends nothing that is no address, and says so", async () => {
    worker.say();
    field("hub").value = "not an address";
    await save();
    expect(worker.orders).toEqual([]);
    expect(text("hub-error")).toContain("no address");
    expect(field("hub").getAttribute("aria-invalid")).toBe("true");
    field("hub").dispatchEvent(new Event("input"));
    expect(text("hub-error")).toBe("");
  });

  it("does not overwrite what is being typed", () => {
    worker.say();
    field("hub").value = "127.0.0.1:90";
    worker.say({ state: "connecting" });
    expect(field("hub").value).toBe("127.0.0.1:90");
  });

  it("shows the token only when asked to", () => {
    expect(field("token").type).toBe("password");
    byId("reveal", HTMLButtonElement).click();
    expect(field("token").type).toBe("text");
    byId("reveal", HTMLButtonElement).click();
    expect(field("token").type).toBe("password");
  });

  it("says how the link stands, and who set the address", () => {
    worker.say({ state: "connected", isLaunched: true });
    expect(text("state")).toBe("Connected");
    expect(byId("launched", HTMLElement).hidden).toBe(false);
    expect(byId("through-host", HTMLElement).hidden).toBe(true);
    worker.say({ state: "connected", isThroughHost: true });
    expect(byId("through-host", HTMLElement).hidden).toBe(false);
    worker.say({ problem: "The token is not valid." });
    expect(text("problem")).toBe("The token is not valid.");
  });
});

describe("disconnecting this browser", () => {
  const seen = (id: string) => byId(id, HTMLElement).checkVisibility();
  const press = (id: string) => userEvent.click(byId(id, HTMLButtonElement));

  it("is offered where there is a login that the user began", () => {
    worker.say();
    expect(seen("leave")).toBe(false);
    worker.say({ hasPairingToken: true, isLaunched: true });
    expect(seen("leave")).toBe(false);
    worker.say({ hasPairingToken: true });
    expect(seen("leave")).toBe(true);
  });

  it("is asked once more, and done then", async () => {
    worker.say({ hasPairingToken: true, state: "connected" });
    await press("leave");
    expect(seen("leave")).toBe(false);
    expect(byId("leave-question", HTMLElement).textContent).toContain("outrigger pair");
    expect(document.activeElement).toBe(byId("leave-no", HTMLElement));
    await press("leave-no");
    expect([seen("leave"), seen("leave-question")]).toEqual([true, false]);
    expect(worker.orders).toEqual([]);
    await press("leave");
    await press("leave-yes");
    expect(worker.orders).toEqual([{ order: "leaveHub" }]);
    worker.say({ state: "disconnected" });
    expect(seen("leaving")).toBe(false);
  });

  it("is nothing that a script does", async () => {
    worker.say({ hasPairingToken: true });
    byId("leave", HTMLButtonElement).click();
    expect(seen("leave-question")).toBe(false);
    await press("leave");
    byId("leave-yes", HTMLButtonElement).click();
    expect(worker.orders).toEqual([]);
  });
});
