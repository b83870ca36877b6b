// `screenshot`: a picture of any tab, through the debugger, with labels drawn
// on the picture and never into the page.
import type { ImageFormat, Screenshot, ScreenshotParams } from "../../protocol/generated";
import { sendDebuggerCommand } from "../debugger";
import { drawLabels } from "../labels";
import { decodePicture, drawScaled, encodePicture, mimeTypeOf } from "../picture";
import { defineCapability } from "./capability";

/** Beyond this Chrome's own textures end. */
const TALLEST_PX = 16_384;

/** The `css…` parts of `Page.getLayoutMetrics`, and one in device pixels. */
interface LayoutMetrics {
  cssLayoutViewport: { pageX: number; pageY: number; clientWidth: number; clientHeight: number };
  cssContentSize: { width: number; height: number };
  contentSize: { width: number };
}

interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
  scale: number;
}

export const screenshot = defineCapability<ScreenshotParams>({
  name: "screenshot",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["screenshot"],
  async run(params): Promise<Screenshot> {
    const { tabId, fullPage, maxWidth, quality, labels } = params;
    const metrics = await sendDebuggerCommand<LayoutMetrics>(tabId, "Page.getLayoutMetrics");
    const clip = clipOf(metrics, fullPage, maxWidth);
    const hasLabels = labels !== undefined && labels.length > 0;
    // Labels are drawn on an exact picture, so that JPEG spoils it only once.
    const format: ImageFormat = hasLabels ? "png" : params.format;
    const { data } = await sendDebuggerCommand<{ data: string }>(tabId, "Page.captureScreenshot", {
      format,
      ...(format === "jpeg" && { quality }),
      clip,
      captureBeyondViewport: fullPage,
    });
    const bitmap = await decodePicture(data, mimeTypeOf(format));
    const { width, height } = bitmap;
    if (!hasLabels && width <= maxWidth) {
      bitmap.close();
      return { data, mimeType: mimeTypeOf(format), width, height };
    }
    const canvas = drawScaled(bitmap, maxWidth);
    bitmap.close();
    const { pageX, pageY } = metrics.cssLayoutViewport;
    const perCssPixel = canvas.width / clip.width;
    drawLabels(canvas, labels ?? [], (x, y) => [
      (x + pageX - clip.x) * perCssPixel,
      (y + pageY - clip.y) * perCssPixel,
    ]);
    return encodePicture(canvas, params.format, quality / 100);
  },
});

function clipOf(metrics: LayoutMetrics, fullPage: boolean, maxWidth: number): Clip {
  const { cssLayoutViewport: viewport, cssContentSize: content } = metrics;
  const devicePixels = content.width > 0 ? metrics.contentSize.width / content.width : 1;
  const area = fullPage
    ? { x: 0, y: 0, width: content.width, height: content.height }
    : {
        x: viewport.pageX,
        y: viewport.pageY,
        width: viewport.clientWidth,
        height: viewport.clientHeight,
      };
  const scale = Math.min(1, maxWidth / (area.width * devicePixels));
  const tallest = TALLEST_PX / (scale * devicePixels);
  return { ...area, height: Math.min(area.height, tallest), scale };
}
