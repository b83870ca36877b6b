// The areas of an image map. They have no box of their own: where they are
// depends on the picture that uses the map.
import { selectIn } from "./clobbered";

export function isArea(element: Element): element is HTMLAreaElement {
  return element instanceof HTMLAreaElement;
}

/** Where an area is; undefined if no picture shows it. */
export function boxOfArea(area: HTMLAreaElement): DOMRect | undefined {
  const image = imageOfArea(area);
  if (!image?.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    return undefined;
  const rect = image.getBoundingClientRect();
  const [left, top, right, bottom] = extentOf(area, rect);
  return new DOMRect(rect.x + left, rect.y + top, right - left, bottom - top);
}

export function imageOfArea(area: HTMLAreaElement): HTMLImageElement | undefined {
  const map = area.closest("map");
  if (!map?.name) return undefined;
  return imagesWithMaps(area.getRootNode()).get(`#${map.name}`);
}

/** The first of each map. Remembered until the script pauses, since so long nothing can change. */
function imagesWithMaps(root: Node): ReadonlyMap<string, HTMLImageElement> {
  const known = imagesByMap.get(root);
  if (known) return known;
  const images = new Map<string, HTMLImageElement>();
  for (const image of selectIn<HTMLImageElement>(root, "img[usemap]")) {
    if (!images.has(image.useMap)) images.set(image.useMap, image);
  }
  imagesByMap.set(root, images);
  queueMicrotask(() => imagesByMap.clear());
  return images;
}

const imagesByMap = new Map<Node, ReadonlyMap<string, HTMLImageElement>>();

/** Left, top, right and bottom within the picture. */
function extentOf(
  { shape, coords }: HTMLAreaElement,
  { width, height }: DOMRect,
): [number, number, number, number] {
  const numbers = coords
    .split(/[\s,;]+/)
    .map(Number.parseFloat)
    .filter(Number.isFinite);
  if (/^default$/i.test(shape) || numbers.length < 3) return [0, 0, width, height];
  const [x = 0, y = 0, radius = 0] = numbers;
  if (/^circ/i.test(shape)) return [x - radius, y - radius, x + radius, y + radius];
  const across = numbers.filter((_, index) => index % 2 === 0);
  const down = numbers.filter((_, index) => index % 2 === 1);
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}
