// From points of a frame to points of the document that it stands in, and back:
// past borders, padding, scaling, turning and zoom.
import { parentOf } from "./clobbered";

export interface Point {
  x: number;
  y: number;
}

/** A 2 × 2 matrix: what becomes of the axes. */
interface Axes {
  a: number;
  b: number;
  c: number;
  d: number;
}

export function outOfFrame(frame: HTMLElement, { x, y }: Point): Point {
  const { axes, centre, middle } = placeOf(frame);
  const [across, down] = [x - middle.x, y - middle.y];
  return {
    x: centre.x + axes.a * across + axes.c * down,
    y: centre.y + axes.b * across + axes.d * down,
  };
}

export function intoFrame(frame: HTMLElement, { x, y }: Point): Point {
  const { axes, centre, middle } = placeOf(frame);
  const determinant = axes.a * axes.d - axes.b * axes.c;
  const [across, down] = [x - centre.x, y - centre.y];
  return {
    x: middle.x + (axes.d * across - axes.c * down) / determinant,
    y: middle.y + (axes.a * down - axes.b * across) / determinant,
  };
}

/**
 * The middle of the frame's box, as a point of either document. Wherever a box
 * is turned around, its middle is the middle of the rectangle around it.
 */
function placeOf(frame: HTMLElement): { axes: Axes; centre: Point; middle: Point } {
  const rect = frame.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = frame;
  const turned = axesOf(frame);
  // What remains between the size that is expected and the one there is, is zoom.
  const zoomX = rect.width / (Math.abs(turned.a) * width + Math.abs(turned.c) * height);
  const zoomY = rect.height / (Math.abs(turned.b) * width + Math.abs(turned.d) * height);
  const style = getComputedStyle(frame);
  return {
    axes: {
      a: turned.a * zoomX,
      c: turned.c * zoomX,
      b: turned.b * zoomY,
      d: turned.d * zoomY,
    },
    centre: { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 },
    middle: {
      x: width / 2 - frame.clientLeft - Number.parseFloat(style.paddingLeft),
      y: height / 2 - frame.clientTop - Number.parseFloat(style.paddingTop),
    },
  };
}

function axesOf(frame: Element): Axes {
  let matrix = new DOMMatrix();
  for (let around: Element | null = frame; around; around = parentOf(around)) {
    const { transform, rotate, scale } = getComputedStyle(around);
    if (transform !== "none") matrix = new DOMMatrix(transform).multiply(matrix);
    if (scale !== "none") matrix = scaling(scale).multiply(matrix);
    if (rotate !== "none") matrix = new DOMMatrix(`rotate(${rotate})`).multiply(matrix);
  }
  const { a, b, c, d } = matrix;
  return { a, b, c, d };
}

function scaling(scale: string): DOMMatrix {
  const [x = 1, y = x] = scale.split(" ").map(Number.parseFloat);
  return new DOMMatrix([x, 0, 0, y, 0, 0]);
}
