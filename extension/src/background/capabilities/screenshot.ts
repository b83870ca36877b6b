// `screenshot`: a picture of any tab, through the debugger, with labels drawn
// on the picture and never into the page.
import type { ImageFormat, Screenshot, ScreenshotParams } from "../../protocol/generated";
import { Refused } from "../../protocol/refused";
import { sendDebuggerCommand } from "../debugger";
import { whileDrawn } from "../drawing";
import { drawLabels } from "../labels";
import { decodePicture, drawScaled, encodePicture, mimeTypeOf } from "../picture";
import { defineCapability } from "./capability";

/** Beyond this Chrome's own textures end. */
const TALLEST_PX = 16_384;

/** The `css…` parts of `Page.getLayoutMetrics`, and one in pixels of the screen. */
interface LayoutMetrics {
  cssLayoutViewport: { pageX: number; pageY: number; clientWidth: number; clientHeight: number };
  cssContentSize: { width: number; height: number };
  contentSize: { width: number };
}

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const screenshot = defineCapability<ScreenshotParams>({
  name: "screenshot",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["screenshot"],
  async run(params): Promise<Screenshot> {
    const { tabId, maxWidth, quality, labels } = params;
    const [metrics, zoom] = await Promise.all([
      sendDebuggerCommand<LayoutMetrics>(tabId, "Page.getLayoutMetrics"),
      chrome.tabs.getZoom(tabId),
    ]);
    const area = areaOf(metrics, params);
    const hasLabels = labels !== undefined && labels.length > 0;
    // Labels are drawn on an exact picture, so that JPEG spoils it only once.
    const format: ImageFormat = hasLabels ? "png" : params.format;
    const { data } = await whileDrawn(tabId, () =>
      sendDebuggerCommand<{ data: string }>(tabId, "Page.captureScreenshot", {
        format,
        ...(format === "jpeg" && { quality }),
        clip: clipOf(area, metrics, zoom, maxWidth),
        captureBeyondViewport: !isInView(area, metrics),
      }),
    );
    const bitmap = await decodePicture(data, mimeTypeOf(format));
    const { width, height } = bitmap;
    if (!hasLabels && width <= maxWidth) {
      bitmap.close();
      return { data, mimeType: mimeTypeOf(format), width, height };
    }
    const canvas = drawScaled(bitmap, maxWidth);
    bitmap.close();
    const { pageX, pageY } = metrics.cssLayoutViewport;
    const perCssPixel = canvas.width / area.width;
    drawLabels(canvas, labels ?? [], (x, y) => [
      (x + pageX - area.x) * perCssPixel,
      (y + pageY - area.y) * perCssPixel,
    ]);
    return encodePicture(canvas, params.format, quality / 100);
  },
});

/** What to show, in CSS pixels of the document. */
function areaOf(metrics: LayoutMetrics, { fullPage, clip, maxWidth }: ScreenshotParams): Area {
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

function isInView(area: Area, metrics: LayoutMetrics): boolean {
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
function clipOf(area: Area, metrics: LayoutMetrics, zoom: number, maxWidth: number): object {
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
