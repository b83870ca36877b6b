import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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
const save = () => byId("form", HTMLFormElement).requestSubmit();

describe("the options page", () => {
  it("saves the address and the token, and forgets the token", () => {
    worker.say();
    field("hub").value = " ws://localhost:9010 ";
    field("token").value = " secret ";
    save();
    expect(worker.orders).toEqual([
      { order: "pair", hub: field("hub").value, pairingToken: "secret" },
    ]);
    expect(field("hub").value).toContain("localhost:9010");
    expect(field("token").value).toBe("");
  });

  it("leaves the stored token alone when none is entered", () => {
    worker.say({ hasPairingToken: true });
    expect(field("token").placeholder).toContain("Stored");
    save();
    expect(worker.orders).toEqual([{ order: "pair", hub: "127.0.0.1:9009" }]);
  });

  it("sends nothing that is no address, and says so", () => {
    worker.say();
    field("hub").value = "not an address";
    save();
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
    worker.say({ problem: "The token is not valid." });
    expect(text("problem")).toBe("The token is not valid.");
  });
});
