// Draws labels on a picture: a thin frame and a small tag with the text, in
// colours that alternate so that neighbours can be told apart.
import type { Label } from "../protocol/generated";
import { contextOf } from "./picture";

const COLOURS = ["#c2185b", "#1565c0", "#2e7d32", "#b33c00", "#6a1b9a"];
const FRAME_WIDTH = 1.5;
const FONT_PX = 12;
const TAG_HEIGHT = 15;
const TAG_PADDING = 3;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** `place` turns a point of the viewport into one of the picture. */
export function drawLabels(
  canvas: OffscreenCanvas,
  labels: readonly Label[],
  place: (x: number, y: number) => [number, number],
): void {
  const context = contextOf(canvas);
  context.font = `bold ${FONT_PX}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  const tags: Box[] = [];
  labels.forEach(({ text, rect }, index) => {
    const frame = frameOf(rect, place, canvas);
    if (!frame) return;
    const colour = COLOURS[index % COLOURS.length] ?? "#000";
    context.strokeStyle = colour;
    context.lineWidth = FRAME_WIDTH;
    context.strokeRect(frame.x, frame.y, frame.width, frame.height);
    const width = Math.ceil(context.measureText(text).width) + 2 * TAG_PADDING;
    const tag = placeTag(frame, width, canvas, tags);
    tags.push(tag);
    context.fillStyle = colour;
    context.fillRect(tag.x, tag.y, tag.width, tag.height);
    context.fillStyle = "#fff";
    context.fillText(text, tag.x + TAG_PADDING, tag.y + TAG_HEIGHT / 2 + 0.5);
  });
}

/** The part of a rectangle that is in the picture, if any. */
function frameOf(
  [x, y, width, height]: Label["rect"],
  place: (x: number, y: number) => [number, number],
  canvas: OffscreenCanvas,
): Box | undefined {
  const inset = FRAME_WIDTH / 2;
  const [left, top] = place(x, y);
  const [right, bottom] = place(x + width, y + height);
  const box = {
    x: Math.max(left, inset),
    y: Math.max(top, inset),
    width: Math.min(right, canvas.width - inset) - Math.max(left, inset),
    height: Math.min(bottom, canvas.height - inset) - Math.max(top, inset),
  };
  return box.width > 0 && box.height > 0 ? box : undefined;
}

/**
 * Above the frame's left corner if there is room; else below, inside, or to the
 * right: the first place that is in the picture and hides no other tag.
 */
function placeTag(frame: Box, width: number, canvas: OffscreenCanvas, taken: Box[]): Box {
  const right = frame.x + frame.width;
  const bottom = frame.y + frame.height;
  const size = { width, height: TAG_HEIGHT };
  const places: Box[] = [
    { x: frame.x, y: frame.y - TAG_HEIGHT, ...size },
    { x: frame.x, y: bottom, ...size },
    { x: right - width, y: frame.y - TAG_HEIGHT, ...size },
    { x: right, y: frame.y, ...size },
    { x: frame.x - width, y: frame.y, ...size },
    { x: frame.x, y: frame.y, ...size },
  ];
  const inside = places.filter((box) => isInside(box, canvas));
  const free = inside.find((box) => !taken.some((other) => overlap(box, other)));
  const x = Math.max(0, Math.min(frame.x, canvas.width - width));
  const y = Math.max(0, Math.min(frame.y, canvas.height - TAG_HEIGHT));
  return free ?? { x, y, ...size };
}

function isInside(box: Box, canvas: OffscreenCanvas): boolean {
  return (
    box.x >= 0 &&
    box.y >= 0 &&
    box.x + box.width <= canvas.width &&
    box.y + box.height <= canvas.height
  );
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
