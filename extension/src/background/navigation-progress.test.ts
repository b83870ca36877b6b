import { describe, expect, it } from "vitest";
import type { NavigationWait } from "../protocol/generated";
import {
  ABORT_PATIENCE_MS,
  LOAD_PATIENCE_MS,
  type NavigationEventKind,
  NavigationProgress,
} from "./navigation-progress";

type Step = NavigationEventKind | `failed ${string}`;

/** Feeds one event a millisecond, from 0 on. */
function progressAfter(wait: NavigationWait, ...steps: Step[]): NavigationProgress {
  const progress = new NavigationProgress(wait, true);
  steps.forEach((step, at) => {
    const [kind, error] = step.split(" ") as [NavigationEventKind, string | undefined];
    progress.feed({ tabId: 1, url: "https://example.com/", kind, at, ...(error && { error }) });
  });
  return progress;
}

describe("a navigation", () => {
  it("is done for `load` once the page has loaded", () => {
    expect(progressAfter("load", "began", "committed", "domReady").standing(10).is).toBe("pending");
    expect(progressAfter("load", "began", "committed", "domReady", "loaded").standing(10).is).toBe(
      "done",
    );
  });

  it("is waited for no longer than three seconds after the DOM was ready, yet not complete", () => {
    const progress = progressAfter("load", "began", "committed", "domReady");
    const patient = progress.standing(2 + LOAD_PATIENCE_MS);
    expect(patient).toEqual({ is: "done", isComplete: false });
    progress.feed({ tabId: 1, url: "https://example.com/", kind: "loaded", at: 5_000 });
    expect(progress.standing(5_001)).toEqual({ is: "done", isComplete: true });
  });

  it("heads for its address until it is there, or fails", () => {
    expect(progressAfter("dom", "began").headingFor).toBe("https://example.com/");
    expect(progressAfter("dom", "began", "began", "failed net::ERR_ABORTED").headingFor).toBe(
      "https://example.com/",
    );
    expect(progressAfter("dom", "began", "committed").headingFor).toBeUndefined();
    expect(progressAfter("dom", "began", "failed net::ERR_FAILED").headingFor).toBeUndefined();
    expect(progressAfter("dom", "sameDocument").headingFor).toBeUndefined();
  });

  it("is done for `dom` once the DOM is ready", () => {
    expect(progressAfter("dom", "began", "committed", "domReady").standing(3).is).toBe("done");
  });

  it("is done at once within the same document", () => {
    expect(progressAfter("load", "sameDocument").standing(1).is).toBe("done");
  });

  it("is not done by what the page before still does", () => {
    expect(progressAfter("load", "committed", "domReady", "loaded", "began").standing(9).is).toBe(
      "pending",
    );
  });

  it("is followed through a redirect by script", () => {
    const progress = progressAfter("load", "began", "committed", "began", "committed", "domReady");
    expect(progress.standing(6).is).toBe("pending");
  });

  it("fails with the browser's name for it", () => {
    const progress = progressAfter("load", "began", "failed net::ERR_NAME_NOT_RESOLVED");
    expect(progress.standing(2)).toEqual({ is: "failed", error: "net::ERR_NAME_NOT_RESOLVED" });
  });

  it("fails when aborted and nothing follows", () => {
    const progress = progressAfter("load", "began", "failed net::ERR_ABORTED");
    expect(progress.standing(2).is).toBe("pending");
    expect(progress.standing(1 + ABORT_PATIENCE_MS).is).toBe("failed");
  });

  it("does not fail when a newer one replaced it", () => {
    const before = progressAfter(
      "load",
      "began",
      "began",
      "failed net::ERR_ABORTED",
      "committed",
      "loaded",
    );
    expect(before.standing(5_000).is).toBe("done");
    const behind = progressAfter(
      "load",
      "began",
      "failed net::ERR_ABORTED",
      "began",
      "committed",
      "loaded",
    );
    expect(behind.standing(5_000).is).toBe("done");
  });

  it("tells a failure from an arrival", () => {
    const dead = progressAfter("dom", "began", "failed net::ERR_CONNECTION_REFUSED");
    expect(dead.failure).toBe("net::ERR_CONNECTION_REFUSED");
    expect(progressAfter("dom", "began", "committed", "domReady").failure).toBeUndefined();
  });

  it("has neither failed nor arrived when it became a download", () => {
    const download = progressAfter("dom", "began", "failed net::ERR_ABORTED");
    expect(download.failure).toBeUndefined();
    expect(download.hasNewDocument).toBe(false);
  });

  it("has not failed when another one arrived after it", () => {
    const dead = ["began", "failed net::ERR_TIMED_OUT"] as const;
    expect(progressAfter("dom", ...dead, "began", "committed").failure).toBeUndefined();
  });

  it("has committed, though not finished, while it still loads", () => {
    expect(progressAfter("load", "began").hasCommitted).toBe(false);
    expect(progressAfter("load", "began", "committed").hasCommitted).toBe(true);
  });
});
