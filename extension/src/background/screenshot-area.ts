// Which part of a document a screenshot shows, and how large it becomes. Areas
// are in CSS pixels of the document.
import type { ScreenshotParams } from "../protocol/generated";
import { Refused } from "../protocol/refused";

/** Beyond this Chrome's own textures end. */
const TALLEST_PX = 16_384;

/** The `css…` parts of `Page.getLayoutMetrics`, and one in pixels of the screen. */
export interface LayoutMetrics {
  cssLayoutViewport: { pageX: number; pageY: number; clientWidth: number; clientHeight: number };
  cssContentSize: { width: number; height: number };
  contentSize: { width: number };
}

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function areaOf(
  metrics: LayoutMetrics,
  { fullPage, clip, maxWidth }: ScreenshotParams,
): Area {
  if (clip) return clippedArea(metrics, clip, maxWidth);
  const { width, height } = metrics.cssContentSize;
  if (fullPage) return { x: 0, y: 0, width, height: capped(height, metrics, width, maxWidth) };
  return viewOf(metrics);
}

/** As much of a part of the viewport as the document has. */
function clippedArea(
  metrics: LayoutMetrics,
  [left, top, wide, high]: [number, number, number, number],
  maxWidth: number,
): Area {
  const view = viewOf(metrics);
  const x = Math.max(0, view.x + left);
  const y = Math.max(0, view.y + top);
  const right = Math.max(metrics.cssContentSize.width, view.x + view.width);
  const bottom = Math.max(metrics.cssContentSize.height, view.y + view.height);
  const width = Math.min(view.x + left + wide, right) - x;
  const height = Math.min(view.y + top + high, bottom) - y;
  if (!(width >= 1 && height >= 1)) {
    throw new Refused("hidden", "There is nothing to show: that part of the page has no size.");
  }
  return { x, y, width, height: capped(height, metrics, width, maxWidth) };
}

function viewOf({ cssLayoutViewport: viewport }: LayoutMetrics): Area {
  const { pageX: x, pageY: y, clientWidth: width, clientHeight: height } = viewport;
  return { x, y, width, height };
}

export function isInView(area: Area, metrics: LayoutMetrics): boolean {
  const view = viewOf(metrics);
  return (
    area.x >= view.x &&
    area.y >= view.y &&
    area.x + area.width <= view.x + view.width &&
    area.y + area.height <= view.y + view.height
  );
}

function capped(height: number, metrics: LayoutMetrics, width: number, maxWidth: number): number {
  return Math.min(height, TALLEST_PX / pixelsPerCssPixel(metrics, width, maxWidth));
}

/** The debugger counts in pixels that know the screen's density but not the page's zoom. */
export function clipOf(area: Area, metrics: LayoutMetrics, zoom: number, maxWidth: number): object {
  const perCssPixel = screenPixelsPerCssPixel(metrics);
  return {
    x: area.x * zoom,
    y: area.y * zoom,
    width: area.width * zoom,
    height: area.height * zoom,
    scale: pixelsPerCssPixel(metrics, area.width, maxWidth) / perCssPixel,
  };
}

/** Of the picture: as on the screen, unless that would be too wide. */
function pixelsPerCssPixel(metrics: LayoutMetrics, width: number, maxWidth: number): number {
  return Math.min(screenPixelsPerCssPixel(metrics), maxWidth / width);
}

function screenPixelsPerCssPixel({ contentSize, cssContentSize }: LayoutMetrics): number {
  return cssContentSize.width > 0 ? contentSize.width / cssContentSize.width : 1;
}
