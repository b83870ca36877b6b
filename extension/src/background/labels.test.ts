import { describe, expect, it } from "vitest";
import type { Label } from "../protocol/generated";
import { drawLabels } from "./labels";

interface Drawn {
  /** What is framed: left, top, right, bottom. */
  frames: number[][];
  tags: { text: string; box: number[] }[];
}

/** Six pixels a letter, in a picture of 200 by 100. */
function drawn(labels: Label[], scale = 1): Drawn {
  const frames: number[][] = [];
  const boxes: number[][] = [];
  const texts: string[] = [];
  const box = (x: number, y: number, width: number, height: number) => [
    x,
    y,
    x + width,
    y + height,
  ];
  const context = {
    strokeRect: (...rect: [number, number, number, number]) => frames.push(box(...rect)),
    fillRect: (...rect: [number, number, number, number]) => boxes.push(box(...rect)),
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: 6 * text.length }),
  };
  const canvas = { width: 200, height: 100, getContext: () => context };
  drawLabels(canvas as unknown as OffscreenCanvas, labels, (x, y) => [x * scale, y * scale]);
  return { frames, tags: texts.map((text, index) => ({ text, box: boxes[index] ?? [] })) };
}

const at = (text: string, ...rect: Label["rect"]): Label => ({ text, rect });

describe("labels on a picture", () => {
  it("frame what they name, with a tag above its left corner", () => {
    expect(drawn([at("e7", 50, 40, 60, 20)])).toEqual({
      frames: [[50, 40, 110, 60]],
      tags: [{ text: "e7", box: [50, 25, 68, 40] }],
    });
  });

  it("stand where the picture shows it, however large that is", () => {
    expect(drawn([at("e7", 100, 80, 120, 40)], 0.5).frames).toEqual([[50, 40, 110, 60]]);
  });

  it("are left out for what is not in the picture, and cut where it ends", () => {
    const labels = [at("e1", 300, 10, 9, 9), at("e2", 10, -50, 9, 9), at("e3", 150, 40, 90, 20)];
    const { frames, tags } = drawn(labels);
    expect(tags.map(({ text }) => text)).toEqual(["e3"]);
    expect(frames).toEqual([[150, 40, 199.25, 60]]);
  });

  it("keep their tags in the picture and off each other", () => {
    const corner = at("e1", 0, 0, 20, 20);
    const { tags } = drawn([corner, at("e2", 0, 36, 20, 20), at("e3", 190, 90, 10, 10)]);
    expect(tags.map(({ box }) => box)).toEqual([
      [0.75, 20, 18.75, 35],
      [0.75, 56, 18.75, 71],
      [181.25, 75, 199.25, 90],
    ]);
  });
});
