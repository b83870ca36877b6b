// Pulls the window that was opened for asking onto the screen, where some of it stands
// beyond the edge: an answer that can't be seen can't be given.

/** Where the part of a screen begins that windows may use; TypeScript knows no such thing. */
type UsableScreen = Screen & { availLeft: number; availTop: number };

export function moveIntoSight(): void {
  const { availLeft, availTop, availWidth, availHeight } = screen as UsableScreen;
  const { screenX, screenY, outerWidth, outerHeight } = window;
  const left = within(screenX, availLeft, availLeft + availWidth - outerWidth);
  const top = within(screenY, availTop, availTop + availHeight - outerHeight);
  if (left !== screenX || top !== screenY) window.moveTo(left, top);
}

function within(at: number, first: number, last: number): number {
  return Math.max(first, Math.min(at, last));
}
