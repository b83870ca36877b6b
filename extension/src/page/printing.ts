// The browser's print window: a page that opens it runs no further, and takes nothing,
// until somebody has closed it. So while an action is under way it is not opened, and
// that the page wanted it is told instead.

let isHolding = false;
let wasHeldBack = false;

/** From now on, until it is let go. What was held back before is told no longer. */
export function holdPrinting(): void {
  isHolding = true;
  wasHeldBack = false;
}

export function letPrint(): void {
  isHolding = false;
}

/** Whether the page may not open it now. */
export function holdBackPrinting(): boolean {
  wasHeldBack ||= isHolding;
  return isHolding;
}

export function wantedToPrint(): boolean {
  return wasHeldBack;
}
