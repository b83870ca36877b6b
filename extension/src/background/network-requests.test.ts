import { describe, expect, it } from "vitest";
import { NetworkRequests } from "./network-requests";

type Event = [method: string, params: object];

function heard(...events: Event[]): NetworkRequests {
  const requests = new NetworkRequests();
  for (const [method, params] of events) requests.hear(`Network.${method}`, params);
  return requests;
}

function sent(requestId: string, url: string, more: object = {}): Event {
  const request = { url, method: "GET", headers: { Accept: "*/*" } };
  return [
    "requestWillBeSent",
    { requestId, request, type: "Fetch", timestamp: 10, wallTime: 1_000, ...more },
  ];
}

function answered(requestId: string, response: object = {}): Event {
  const whole = { status: 200, headers: { A: "1" }, mimeType: "text/html", ...response };
  return ["responseReceived", { requestId, response: whole, type: "Fetch" }];
}

const finished = (requestId: string): Event => ["loadingFinished", { requestId, timestamp: 10.25 }];

describe("the requests of a tab", () => {
  it("are told from beginning to end", () => {
    const requests = heard(
      sent("r", "http://a/"),
      answered("r"),
      ["dataReceived", { requestId: "r", dataLength: 30 }],
      ["dataReceived", { requestId: "r", dataLength: 12 }],
      finished("r"),
    );
    expect(requests.all.map(({ told }) => told)).toEqual([
      {
        id: 1,
        method: "GET",
        url: "http://a/",
        kind: "fetch",
        status: 200,
        mime: "text/html",
        bytes: 42,
        tookMs: 250,
        at: 1_000_000,
      },
    ]);
    expect(requests.find(1)?.isFinished).toBe(true);
    expect(requests.find(2)).toBeUndefined();
  });

  it("say why they failed", () => {
    const requests = heard(sent("r", "http://a/"), [
      "loadingFailed",
      { requestId: "r", timestamp: 11, errorText: "net::ERR_FAILED" },
    ]);
    expect(requests.find(1)).toMatchObject({
      told: { failed: "net::ERR_FAILED", tookMs: 1000 },
      isFinished: true,
    });
  });

  it("are one for each redirect, with the headers that each had", () => {
    const redirectResponse = { status: 302, headers: {}, mimeType: "" };
    const requests = heard(
      ["requestWillBeSentExtraInfo", { requestId: "r", headers: { Cookie: "first" } }],
      sent("r", "http://a/old"),
      ["responseReceivedExtraInfo", { requestId: "r", headers: { Location: "/new" } }],
      ["requestWillBeSentExtraInfo", { requestId: "r", headers: { Cookie: "second" } }],
      sent("r", "http://a/new", { timestamp: 10.1, redirectResponse }),
      answered("r"),
      ["responseReceivedExtraInfo", { requestId: "r", headers: { "Set-Cookie": "x" } }],
      finished("r"),
    );
    expect(requests.all).toMatchObject([
      {
        told: { id: 1, url: "http://a/old", status: 302, tookMs: 100 },
        isRedirect: true,
        requestHeaders: { Cookie: "first" },
        responseHeaders: { Location: "/new" },
      },
      {
        told: { id: 2, url: "http://a/new", status: 200, tookMs: 150 },
        isRedirect: false,
        requestHeaders: { Cookie: "second" },
        responseHeaders: { "Set-Cookie": "x" },
      },
    ]);
  });

  it("keep the names of what was sent, and none of its values", () => {
    const request = {
      url: "http://a/",
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      postData: "user=bob&pin=hunter2",
      hasPostData: true,
    };
    const requests = heard(sent("r", "", { request }));
    expect(requests.find(1)?.sentFields).toEqual(["user", "pin"]);
    expect(JSON.stringify(requests.all)).not.toContain("hunter2");
  });

  it("are the newest five hundred; the others are counted", () => {
    const many = Array.from({ length: 503 }, (_, index) => sent(`r${index}`, `http://a/${index}`));
    const requests = heard(...many, answered("r0"), answered("r502"));
    expect(requests.all).toHaveLength(500);
    expect(requests.dropped).toBe(3);
    expect(requests.find(3)).toBeUndefined();
    expect(requests.find(503)?.told.status).toBe(200);
    expect(requests.keptSince).toBe(1_000_000);
  });

  it("are WebSockets too, with how many messages went each way", () => {
    const requests = heard(
      ["webSocketCreated", { requestId: "w", url: "ws://a/live" }],
      [
        "webSocketWillSendHandshakeRequest",
        { requestId: "w", timestamp: 10, wallTime: 1_000, request: { headers: { Upgrade: "x" } } },
      ],
      [
        "webSocketHandshakeResponseReceived",
        { requestId: "w", timestamp: 10.1, response: { status: 101, headers: { A: "1" } } },
      ],
      ["webSocketFrameSent", { requestId: "w", response: { payloadData: "hunter2" } }],
      ["webSocketFrameReceived", { requestId: "w", response: { payloadData: "hunter2" } }],
      ["webSocketFrameReceived", { requestId: "w", response: { payloadData: "hunter2" } }],
      sent("r", "http://a/"),
    );
    const [socket] = requests.all;
    expect(socket).toMatchObject({
      told: { id: 1, kind: "websocket", status: 101, messages: { sent: 1, received: 2 } },
      requestHeaders: { Upgrade: "x" },
      responseHeaders: { A: "1" },
      isFinished: false,
    });
    expect(requests.find(2)?.told.kind).toBe("fetch");
    requests.hear("Network.webSocketClosed", { requestId: "w", timestamp: 12 });
    expect(socket).toMatchObject({ told: { tookMs: 2_000, at: 1_000_000 }, isFinished: true });
    expect(JSON.stringify(requests.all)).not.toContain("hunter2");
  });

  it("say of a WebSocket that never opened why", () => {
    const requests = heard(
      ["webSocketCreated", { requestId: "w", url: "ws://a/live" }],
      ["webSocketFrameError", { requestId: "w", timestamp: 11, errorMessage: "no such place" }],
      ["webSocketClosed", { requestId: "w", timestamp: 11 }],
    );
    expect(requests.find(1)?.told).toMatchObject({ failed: "no such place", tookMs: 0 });
  });

  it("have addresses of bearable length", () => {
    const requests = heard(
      sent("r", `http://a/${"x".repeat(3_000)}`),
      sent("s", `data:image/png;base64,${"x".repeat(3_000)}`),
    );
    const [long, data] = requests.all.map(({ told }) => told.url);
    expect(long).toHaveLength(2_000);
    expect(data).toBe("data:image/png;base64,…");
  });
});
