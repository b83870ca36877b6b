import { describe, expect, it } from "vitest";
import { CloseCode } from "../../protocol/generated";
import { delayBeforeRetry, endingOf } from "./retry";

describe("the delay before a retry", () => {
  it("is nothing after the first failure", () => {
    expect(delayBeforeRetry(1, 0.99)).toBe(0);
  });

  it("doubles with each further failure", () => {
    expect([2, 3, 4].map((failures) => delayBeforeRetry(failures, 1))).toEqual([250, 500, 1_000]);
  });

  it("never exceeds five seconds", () => {
    expect(delayBeforeRetry(500, 1)).toBe(5_000);
  });

  it("is spread by chance over half its length", () => {
    expect(delayBeforeRetry(500, 0)).toBe(2_500);
  });
});

describe("the end of a connection", () => {
  it.each([
    [CloseCode.UnsupportedProtocol, "slowly"],
    [CloseCode.InvalidPairingToken, "slowly"],
    [CloseCode.Replaced, "slowly"],
    [CloseCode.Revoked, "never"],
    [CloseCode.NotServed, "slowly"],
    [CloseCode.NoHub, "slowly"],
    [CloseCode.HandshakeTimeout, "soon"],
    [1006, "soon"],
  ])("with code %i is retried %s", (code, retry) => {
    expect(endingOf(code, true, "127.0.0.1:9009").retry).toBe(retry);
  });

  it("passes on why the host on this machine reaches no hub", () => {
    const { problem } = endingOf(CloseCode.NoHub, true, "", "no hub answers on port 9009");
    expect(problem).toContain("says: no hub answers on port 9009.");
  });

  it("tells an absent hub from a lost one", () => {
    expect(endingOf(1006, false, "127.0.0.1:9009").problem).toContain("outrigger up");
    expect(endingOf(1006, true, "127.0.0.1:9009").problem).toContain("lost");
  });
});
