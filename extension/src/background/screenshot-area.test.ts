import { describe, expect, it } from "vitest";
import type { ScreenshotParams } from "../protocol/generated";
import { areaOf, clipOf, isInView, type LayoutMetrics } from "./screenshot-area";

type Clip = NonNullable<ScreenshotParams["clip"]>;

/** A page of 1,000 by 3,000 in a window of 1,000 by 700, scrolled down by 500. */
const metrics: LayoutMetrics = {
  cssLayoutViewport: { pageX: 0, pageY: 500, clientWidth: 1_000, clientHeight: 700 },
  cssContentSize: { width: 1_000, height: 3_000 },
  contentSize: { width: 1_000 },
};

function area(wanted: Partial<ScreenshotParams>, of = metrics) {
  const usual = { tabId: 1, format: "png", quality: 60, maxWidth: 1_000, labels: [] } as const;
  return areaOf(of, { ...usual, fullPage: false, ...wanted } as ScreenshotParams);
}

describe("a screenshot", () => {
  it("shows what is in view", () => {
    const view = { x: 0, y: 500, width: 1_000, height: 700 };
    expect(area({})).toEqual(view);
    expect(isInView(view, metrics)).toBe(true);
  });

  it("shows all of the page if asked, as far as a picture goes", () => {
    const page = { x: 0, y: 0, width: 1_000, height: 3_000 };
    expect(area({ fullPage: true })).toEqual(page);
    expect(isInView(page, metrics)).toBe(false);
    const endless = { ...metrics, cssContentSize: { width: 1_000, height: 90_000 } };
    expect(area({ fullPage: true }, endless).height).toBe(16_384);
    expect(area({ fullPage: true, maxWidth: 500 }, endless).height).toBe(32_768);
  });

  it.each<[Clip, object, boolean]>([
    [[10, 20, 30, 40], { x: 10, y: 520, width: 30, height: 40 }, true],
    [[10, 900, 30, 40], { x: 10, y: 1_400, width: 30, height: 40 }, false],
    [[10, -400, 30, 40], { x: 10, y: 100, width: 30, height: 40 }, false],
    [[-10, -510, 30, 40], { x: 0, y: 0, width: 20, height: 30 }, false],
    [[990, 2_490, 30, 40], { x: 990, y: 2_990, width: 10, height: 10 }, false],
  ])("shows a part, in view or not, as far as there is a page: %j", (clip, shown, inView) => {
    const part = area({ clip });
    expect(part).toEqual(shown);
    expect(isInView(part, metrics)).toBe(inView);
  });

  it.each<[Clip]>([[[10, 20, 0, 40]], [[10, 9_000, 30, 40]], [[-90, 0, 30, 9]]])(
    "is refused where there is nothing to show: %j",
    (clip) => {
      expect(() => area({ clip })).toThrow(expect.objectContaining({ code: "hidden" }));
    },
  );

  it("has the pixels of the screen, unless that would be too wide", () => {
    const sharp = { ...metrics, contentSize: { width: 2_000 } };
    const part = { x: 0, y: 0, width: 400, height: 100 };
    expect(clipOf(part, sharp, 1, 1_000)).toEqual({ ...part, scale: 1 });
    expect(clipOf(part, sharp, 1, 400)).toEqual({ ...part, scale: 0.5 });
    expect(clipOf(part, metrics, 1.5, 1_000)).toMatchObject({ width: 600, height: 150 });
  });
});
