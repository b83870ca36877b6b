import { expect, it } from "vitest";
import { parseFrame } from "./frames";

it("reads a request with its deadline", () => {
  const text = '{"type":"list_tabs","payload":{"a":1},"id":"msg-1","deadlineMs":500,"once":true}';
  expect(parseFrame(text)).toEqual({
    kind: "request",
    request: { type: "list_tabs", payload: { a: 1 }, id: "msg-1", deadlineMs: 500, once: true },
  });
});

it("gives a request without a deadline one", () => {
  const frame = parseFrame('{"type":"list_tabs","id":"msg-1"}');
  expect(frame).toMatchObject({
    kind: "request",
    request: { payload: {}, deadlineMs: 30_000, once: false },
  });
});

it("takes an acknowledgement that says no more than its status", () => {
  const frame = parseFrame('{"type":"handshake_ack","status":"connected"}');
  expect(frame).toMatchObject({ kind: "ack", ack: { status: "connected", keepaliveMs: 20_000 } });
});

it.each(["{", "null", "[]", "{}", '{"type":"list_tabs"}', '{"type":7,"id":"x"}'])(
  "takes %s for malformed",
  (text) => {
    expect(parseFrame(text).kind).toBe("malformed");
  },
);
