// Addresses that lead out of the browser: `tel:`, `mailto:`, those of other
// programs. Followed, the browser asks its user in a window that is out of our
// reach, lets go of the debugger, and takes no input in that tab until somebody
// has answered. So while an action is under way none is followed, and where it
// would have led is told instead.

/** What the browser itself goes to. */
const INWARD = new Set(
  "http https about blob data javascript file ftp filesystem view-source chrome chrome-extension devtools"
    .split(" ")
    .map((scheme) => `${scheme}:`),
);
const MOST_LETTERS = 300;

let heldBack: string | undefined;
let isHolding = false;

/** From now on, until it is let go. What was held back before is told no longer. */
export function holdBack(): void {
  heldBack = undefined;
  if (isHolding) return;
  isHolding = true;
  navigation.addEventListener("navigate", stopOutward);
}

export function letGo(): void {
  isHolding = false;
  navigation.removeEventListener("navigate", stopOutward);
}

/** Where the page would have gone. */
export function heldBackSoFar(): string | undefined {
  return heldBack;
}

function stopOutward(event: NavigateEvent): void {
  const { url } = event.destination;
  if (INWARD.has(URL.parse(url)?.protocol ?? "about:")) return;
  event.preventDefault();
  heldBack = url.slice(0, MOST_LETTERS);
}
