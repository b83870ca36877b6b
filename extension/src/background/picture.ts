// Pictures between base64 and pixels.
import type { ImageFormat } from "../protocol/generated";

export interface Encoded {
  /** Base64 without a prefix. */
  data: string;
  mimeType: string;
  width: number;
  height: number;
}

export async function decodePicture(base64: string, mimeType: string): Promise<ImageBitmap> {
  const response = await fetch(`data:${mimeType};base64,${base64}`);
  return createImageBitmap(await response.blob());
}

export function mimeTypeOf(format: ImageFormat): string {
  return format === "png" ? "image/png" : "image/jpeg";
}

/** `quality` is 0 to 1 and means nothing to PNG. */
export async function encodePicture(
  canvas: OffscreenCanvas,
  format: ImageFormat,
  quality: number,
): Promise<Encoded> {
  const mimeType = mimeTypeOf(format);
  const blob = await canvas.convertToBlob({ type: mimeType, quality });
  const data = await base64Of(blob);
  return { data, mimeType, width: canvas.width, height: canvas.height };
}

/** A canvas with the picture on it, no wider than `maxWidth`. */
export function drawScaled(bitmap: ImageBitmap, maxWidth: number): OffscreenCanvas {
  const scale = Math.min(1, maxWidth / bitmap.width);
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  contextOf(canvas).drawImage(bitmap, 0, 0, width, height);
  return canvas;
}

export function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser gave no drawing context.");
  return context;
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const dataUrl = String(reader.result);
      resolve(dataUrl.slice(dataUrl.indexOf(",") + 1));
    };
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
