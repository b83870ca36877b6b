import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Link } from "./link";
import type { Requests } from "./requests";

vi.mock("./log", () => ({ logLine: () => {} }));
vi.mock("./launch", () => ({ readLaunch: async () => undefined }));
vi.mock("./handshake", () => ({ makeHandshake: async () => ({}) }));

const connections = vi.hoisted(() => [] as { isAbandoned: boolean }[]);
vi.mock("./connection", () => ({
  Connection: class {
    isAbandoned = false;
    constructor() {
      connections.push(this);
    }
    abandon() {
      this.isAbandoned = true;
    }
  },
}));

const hub = vi.fn<typeof fetch>();
let local: Record<string, unknown>;
let session: Record<string, unknown>;

function area(held: Record<string, unknown>) {
  return {
    get: async (asked: string | object) =>
      typeof asked === "string" ? { [asked]: held[asked] } : { ...asked, ...held },
    set: async (changes: object) => void Object.assign(held, changes),
    remove: async (name: string) => void delete held[name],
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  connections.length = 0;
  local = { hub: "127.0.0.1:9009", refreshToken: "refresh-one" };
  session = {};
  vi.stubGlobal("fetch", hub);
  vi.stubGlobal("chrome", { storage: { local: area(local), session: area(session) } });
});
afterEach(() => {
  vi.useRealTimers();
  hub.mockReset();
  vi.unstubAllGlobals();
});

function makeLink(): Link {
  const requests = { cancelAll: () => {} } as unknown as Requests;
  return new Link(requests, {
    changed: () => {},
    ready: () => {},
    helm: () => {},
    tracking: () => {},
  });
}

const pair = () => ({
  accessToken: "access-two",
  expiresAt: Date.now() + 900_000,
  refreshToken: "refresh-two",
});

describe("the link with a login", () => {
  it("waits for a hub that listens to no token, says so, and tries again", async () => {
    hub.mockResolvedValueOnce(new Response("", { status: 429, headers: { "retry-after": "60" } }));
    const link = makeLink();
    await link.wake();
    expect(link.view.state).toBe("disconnected");
    expect(link.view.problem).toContain("Trying again");
    expect(link.view.problem).not.toContain("outrigger pair");
    // An alarm meanwhile changes nothing.
    await link.wake();
    expect(hub).toHaveBeenCalledOnce();
    hub.mockImplementation(async () => Response.json(pair()));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(hub).toHaveBeenCalledTimes(2);
    expect(connections).toHaveLength(1);
  });

  it("ends the login when the user disconnects the browser, and stays away", async () => {
    hub.mockImplementation(async () => Response.json(pair()));
    const link = makeLink();
    await link.wake();
    expect(connections).toHaveLength(1);
    hub.mockReset().mockResolvedValue(new Response(null, { status: 204 }));
    await link.leave();
    const [url, request] = hub.mock.calls[0] ?? [];
    expect(url).toBe("http://127.0.0.1:9009/auth/session");
    expect(request).toMatchObject({
      method: "DELETE",
      headers: { authorization: "Bearer access-two" },
    });
    expect(connections).toEqual([expect.objectContaining({ isAbandoned: true })]);
    expect(local).toMatchObject({ refreshToken: "", pairingToken: "" });
    expect(session.access).toBeUndefined();
    expect(link.view.problem).toContain("To pair it again, run `outrigger pair`");
    await link.wake();
    expect(connections).toHaveLength(1);
  });

  it("forgets the login also where the hub can't be told, and says what is left", async () => {
    hub.mockImplementation(async () => Response.json(pair()));
    const link = makeLink();
    await link.wake();
    hub.mockReset().mockRejectedValue(new TypeError("Failed to fetch"));
    await link.leave();
    expect(local).toMatchObject({ refreshToken: "", pairingToken: "" });
    expect(link.view.problem).toContain("outrigger pair --rotate");
  });
});
