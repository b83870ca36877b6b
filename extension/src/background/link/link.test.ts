import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Link as LinkType } from "./link";
import { area } from "./storage.fixture";

vi.mock("./handshake", () => ({ makeHandshake: async (credential: object) => credential }));
vi.mock("./launch", () => ({ readLaunch: async () => undefined }));

/** The host's end of a pipe. */
class Port {
  posted: Record<string, unknown>[] = [];
  say: (message: object) => void = () => {};
  end: () => void = () => {};
  disconnect = () => {};
  postMessage = (message: Record<string, unknown>) => this.posted.push(message);
  onMessage = {
    addListener: (listener: (message: object) => void) => {
      this.say = listener;
    },
  };
  onDisconnect = {
    addListener: (listener: () => void) => {
      this.end = listener;
    },
  };
}

let local: Record<string, unknown>;
let session: Record<string, unknown>;
let ports: Port[];
const sockets = vi.fn();
let link: LinkType;

beforeEach(async () => {
  vi.useFakeTimers();
  local = {};
  session = {};
  ports = [];
  const connectNative = () => {
    const port = new Port();
    ports.push(port);
    return port;
  };
  vi.stubGlobal("chrome", {
    runtime: { connectNative },
    storage: { local: area(local), session: area(session) },
  });
  vi.stubGlobal("WebSocket", function Socket(this: object, url: string) {
    sockets(url);
    Object.assign(this, { close: () => {} });
  });
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  const { Link } = await import("./link");
  const requests = { memoryName: Promise.resolve("memory"), cancelAll: () => {} };
  const listener = { changed: () => {}, ready: () => {}, helm: () => {}, tracking: () => {} };
  link = new Link(requests as never, listener);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sockets.mockReset();
});

const ack = { type: "handshake_ack", status: "connected", keepaliveMs: 20_000 };

describe("a browser without a token", () => {
  it("is linked through the host, with nothing to show", async () => {
    await link.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(ports[0]?.posted).toEqual([{ type: "handshake" }]);
    ports[0]?.say(ack);
    expect(link.view).toEqual({ state: "connected", problem: "", isThroughHost: true });
    expect(sockets).not.toHaveBeenCalled();
  });

  it("says the same as ever where there is no host, and looks again with the next alarm", async () => {
    for (const attempt of [1, 2, 3]) {
      await link.wake();
      ports.at(-1)?.end();
      expect(ports).toHaveLength(attempt);
      expect(link.view.problem).toContain("not paired yet");
      await vi.advanceTimersByTimeAsync(29_000);
      expect(ports).toHaveLength(attempt);
    }
    expect(session.linkLog).toBeUndefined();
  });

  it("is back at once when the host was lost", async () => {
    await link.wake();
    ports[0]?.say(ack);
    ports[0]?.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(ports).toHaveLength(2);
  });

  it("stays away when the hub ended the link, until the user wants it back", async () => {
    await link.wake();
    ports[0]?.say(ack);
    ports[0]?.say({ type: "native_closed", code: 4005, reason: "Revoked" });
    await vi.advanceTimersByTimeAsync(60_000);
    await link.wake();
    expect(ports).toHaveLength(1);
    await link.connect();
    expect(ports).toHaveLength(2);
  });

  it("keeps to a hub of another machine", async () => {
    local.hub = "hub.example:9009";
    await link.wake();
    expect(ports).toEqual([]);
  });
});

describe("a browser with a token", () => {
  it("goes by the socket alone", async () => {
    local.pairingToken = "pasted";
    await link.wake();
    expect(sockets).toHaveBeenCalledWith("ws://127.0.0.1:9009/extension");
    expect(ports).toEqual([]);
  });

  it("whose login ended goes through the host when the user wants it, and not before", async () => {
    local.loginEnded = "ended";
    await link.wake();
    expect(ports).toEqual([]);
    expect(link.view.problem).toContain("ended this browser's login");
    await link.connect();
    ports[0]?.end();
    expect(link.view.problem).toContain("ended this browser's login");
    await link.wake();
    expect(ports).toHaveLength(1);
    await link.connect();
    ports[1]?.say(ack);
    await vi.advanceTimersByTimeAsync(0);
    expect(local.loginEnded).toBe("");
  });
});
