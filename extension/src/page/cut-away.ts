// Elements of which a style sheet leaves nothing to see, by cutting all of them
// away or by a filter.

export function isCutAway(style: CSSStyleDeclaration, position: string): boolean {
  const { clipPath, filter } = style;
  // The older way of clipping counts only for what is taken out of the flow.
  const isClippable = position === "absolute" || position === "fixed";
  return (
    (clipPath !== "none" && isShutPath(clipPath)) ||
    (filter !== "none" && /\bopacity\(0%?\)/.test(filter)) ||
    (isClippable && isShutClip(style.clip))
  );
}

/** Its sides are told from the upper left corner. */
function isShutClip(clip: string): boolean {
  if (clip === "auto") return false;
  const sides = /^rect\((.*)\)$/.exec(clip)?.[1]?.split(/[\s,]+/) ?? [];
  const lengths = sides.map((side) => Number.parseFloat(side));
  const [top, right, bottom, left] = lengths as [number, number, number, number];
  return bottom <= top || right <= left;
}

function isShutPath(clipPath: string): boolean {
  const [, shape, written = ""] = /^(inset|circle|ellipse|polygon)\((.*?)\)/.exec(clipPath) ?? [];
  switch (shape) {
    case "inset":
      return isShutInset(written.split(" round ")[0] ?? "");
    case "circle":
    case "ellipse":
      // Menus that open as a circle are closed as one of no radius.
      return (written.split(/ ?\bat\b/)[0] ?? "").split(" ").some(isNothing);
    case "polygon":
      // What is calculated can't be compared as it is written.
      if (written.includes("(")) return false;
      return isFlat(written.replace(/^(evenodd|nonzero), /, "").split(", "));
    default:
      return false;
  }
}

/** Opposite sides are moved in until they meet; one side stands for those that aren't told. */
function isShutInset(written: string): boolean {
  const [top = "", right = top, bottom = top, left = right] = written.split(" ");
  const percent = (side: string) => (side.endsWith("%") ? Number.parseFloat(side) : 0);
  return percent(top) + percent(bottom) >= 100 || percent(left) + percent(right) >= 100;
}

function isNothing(length: string): boolean {
  return /^0(px|%)?$/.test(length);
}

/** All corners are on one line, up and down or from side to side. */
function isFlat(corners: string[]): boolean {
  const sides = corners.map((corner) => corner.split(" "));
  return [0, 1].some((axis) => sides.every((side) => side[axis] === sides[0]?.[axis]));
}
