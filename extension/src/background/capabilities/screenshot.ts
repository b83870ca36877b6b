// `screenshot`: a picture of any tab, through the debugger, with labels drawn
// on the picture and never into the page.
import type { ImageFormat, Screenshot, ScreenshotParams } from "../../protocol/generated";
import { sendDebuggerCommand } from "../debugger";
import { whileDrawn } from "../drawing";
import { drawLabels } from "../labels";
import { decodePicture, drawScaled, encodePicture, mimeTypeOf } from "../picture";
import { areaOf, clipOf, isInView, type LayoutMetrics } from "../screenshot-area";
import { whileVeiled } from "../veiling";
import { defineCapability } from "./capability";

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
    const capture = () =>
      sendDebuggerCommand<{ data: string }>(tabId, "Page.captureScreenshot", {
        format,
        ...(format === "jpeg" && { quality }),
        clip: clipOf(area, metrics, zoom, maxWidth),
        captureBeyondViewport: !isInView(area, metrics),
      });
    const { data } = await whileDrawn(tabId, () => whileVeiled(tabId, capture));
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
