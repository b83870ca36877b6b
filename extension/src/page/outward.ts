// Addresses that lead out of the browser: `tel:`, `mailto:`, those of other
// programs. Followed, the browser asks its user in a window that is out of our
// reach, lets go of the debugger, and takes no input in that tab until somebody
// has answered. So while an action is under way none is followed, and where it
// would have led is told instead: whether this document would go there, a link or a
// form leads there in another frame or tab, or a script opens it.
import { listen } from "./clobbered";

/** What the browser itself goes to. */
const INWARD = new Set(
  "http https about blob data javascript file ftp filesystem view-source chrome chrome-extension devtools"
    .split(" ")
    .map((scheme) => `${scheme}:`),
);
const MOST_LETTERS = 300;

let heldBack: string | undefined;
let stopHolding: (() => void) | undefined;

/** From now on, until it is let go. What was held back before is told no longer. */
export function holdBack(): void {
  heldBack = undefined;
  if (stopHolding) return;
  navigation.addEventListener("navigate", stopNavigation);
  // Last of all, so that a page can still say that it does something else itself.
  const stops = [
    ...["click", "auxclick"].map((type) => listen(window, type, stopLink, {})),
    listen(window, "submit", stopForm, {}),
  ];
  stopHolding = () => {
    navigation.removeEventListener("navigate", stopNavigation);
    for (const stop of stops) stop();
  };
}

export function letGo(): void {
  stopHolding?.();
  stopHolding = undefined;
}

/** Where the page would have gone. */
export function heldBackSoFar(): string | undefined {
  return heldBack;
}

/** Whether the page may not open it now. */
export function holdBackAddress(address: string): boolean {
  if (!stopHolding || !isOutward(address)) return false;
  heldBack = address.slice(0, MOST_LETTERS);
  return true;
}

function isOutward(address: string): boolean {
  const { protocol } = URL.parse(address, document.baseURI) ?? { protocol: "about:" };
  return !INWARD.has(protocol);
}

function stopNavigation(event: NavigateEvent): void {
  if (holdBackAddress(event.destination.url)) event.preventDefault();
}

function stopLink(event: Event): void {
  const link = event.composedPath().find(isLink);
  if (!link || event.defaultPrevented) return;
  const { href } = link;
  if (holdBackAddress(typeof href === "string" ? href : href.baseVal)) event.preventDefault();
}

function isLink(target: EventTarget): target is HTMLAnchorElement | HTMLAreaElement | SVGAElement {
  return (
    target instanceof HTMLAnchorElement ||
    target instanceof HTMLAreaElement ||
    target instanceof SVGAElement
  );
}

function stopForm(event: Event): void {
  if (event.defaultPrevented || !(event.target instanceof Element)) return;
  const { submitter } = event as SubmitEvent;
  // By attributes: a field may pass for the form's own property.
  const address = submitter?.getAttribute("formaction") ?? event.target.getAttribute("action");
  if (address && holdBackAddress(address)) event.preventDefault();
}
