// Whether something took what was dropped: asked for before the drop, and told
// after it.

let taken = false;
let stop: () => void = () => {};

/** The browser tells of a drop only where a page said before that it takes it. */
export function watchDrop(): void {
  stop();
  taken = false;
  const note = (event: Event) => {
    if (event.isTrusted) taken = true;
  };
  addEventListener("drop", note, { capture: true });
  stop = () => removeEventListener("drop", note, { capture: true });
}

/** One that this script sent itself. */
export function noteDrop(): void {
  taken = true;
}

export function takeDrop(): boolean {
  stop();
  const told = taken;
  taken = false;
  return told;
}
