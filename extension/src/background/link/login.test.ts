import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Login } from "./login";
import { area } from "./storage.fixture";

const HUB = "127.0.0.1:9009";

function answers(status: number, body: object): void {
  hub.mockImplementation(async () => new Response(JSON.stringify(body), { status }));
}

function pair(name: string, livesMs = 900_000): object {
  return {
    accessToken: `access-${name}`,
    expiresAt: Date.now() + livesMs,
    refreshToken: `refresh-${name}`,
  };
}

const hub = vi.fn<typeof fetch>();
let local: Record<string, unknown>;
let session: Record<string, unknown>;

beforeEach(() => {
  local = { clientId: "ext-1" };
  session = {};
  vi.stubGlobal("fetch", hub);
  vi.stubGlobal("chrome", { storage: { local: area(local), session: area(session) } });
});

afterEach(() => {
  hub.mockReset();
  vi.unstubAllGlobals();
});

describe("the login", () => {
  it("is begun once with the pairing token, which is forgotten then", async () => {
    local.pairingToken = "pasted";
    answers(200, pair("one"));
    const login = new Login();
    const shown = { kind: "token", accessToken: "access-one" };
    expect(await login.access(HUB)).toEqual(shown);
    const [url, request] = hub.mock.calls[0] ?? [];
    expect(url).toBe(`http://${HUB}/auth/session/extension-token`);
    expect(request?.headers).toMatchObject({ authorization: "Bearer pasted" });
    expect(request?.body).toBe('{"clientId":"ext-1"}');
    expect(local).toMatchObject({ pairingToken: "", refreshToken: "refresh-one" });
    expect(await login.access(HUB)).toEqual(shown);
    expect(hub).toHaveBeenCalledTimes(1);
  });

  it("is refreshed before its access token ends, by one request for all who ask", async () => {
    local.refreshToken = "refresh-one";
    session.access = { accessToken: "access-one", expiresAt: Date.now() + 30_000 };
    answers(200, pair("two"));
    const login = new Login();
    const shown = await Promise.all([login.access(HUB), login.access(HUB)]);
    expect(shown.map((each) => each.kind === "token" && each.accessToken)).toEqual([
      "access-two",
      "access-two",
    ]);
    expect(hub).toHaveBeenCalledTimes(1);
    expect(hub.mock.calls[0]?.[1]?.body).toBe('{"refreshToken":"refresh-one"}');
    expect(local.refreshToken).toBe("refresh-two");
  });

  it.each([
    ["refresh_reused", "reused"],
    ["login_expired", "ended"],
  ])("is over when the hub says %s", async (code, why) => {
    local.refreshToken = "refresh-one";
    answers(401, { code });
    expect(await new Login().access(HUB)).toEqual({ kind: "ended", why });
    expect(local).toMatchObject({ refreshToken: "", loginEnded: why });
  });

  it("stays when the hub can't be asked", async () => {
    local.refreshToken = "refresh-one";
    hub.mockRejectedValue(new TypeError("Failed to fetch"));
    expect(await new Login().access(HUB)).toEqual({ kind: "token", accessToken: "" });
    answers(503, {});
    expect(await new Login().access(HUB)).toEqual({ kind: "token", accessToken: "" });
    expect(local.refreshToken).toBe("refresh-one");
  });

  it.each([
    ["5", 5_000],
    [undefined, 60_000],
  ])("waits where the hub listens to no token (%s)", async (seconds, afterMs) => {
    const headers: HeadersInit = seconds ? { "retry-after": seconds } : {};
    hub.mockImplementation(async () => new Response("", { status: 429, headers }));
    local.refreshToken = "refresh-one";
    expect(await new Login().access(HUB)).toEqual({ kind: "later", afterMs });
    expect(local).toMatchObject({ refreshToken: "refresh-one" });
    local.refreshToken = "";
    local.pairingToken = "pasted";
    expect(await new Login().access(HUB)).toEqual({ kind: "later", afterMs });
    expect(local.pairingToken).toBe("pasted");
  });

  it("leaves the pairing token where it can't be exchanged", async () => {
    local.pairingToken = "pasted";
    answers(404, {});
    expect(await new Login().access(HUB)).toEqual({ kind: "none" });
    expect(local.pairingToken).toBe("pasted");
  });
});
