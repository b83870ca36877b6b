// What the page asked the user to allow it since an action began, and the user has not
// decided yet: the browser asks them in a prompt of its own, of which it tells nobody.
// That the page asked is heard from its own world, where the worker puts a listener.
import { listen } from "./clobbered";

const NAMES = new Set(["geolocation", "notifications", "camera", "microphone", "clipboard-read"]);

let asked = new Set<string>();
let stopHearing: () => void = () => {};

/** From now on, by the event of this name. */
export function hearAsking(eventName: string): void {
  stopHearing();
  stopHearing = listen(document, eventName, hear, { capture: true });
}

/** What was asked for before is another action's. */
export function forgetAsking(): void {
  asked = new Set();
}

export async function undecidedSoFar(): Promise<string[]> {
  const waiting: string[] = [];
  for (const name of asked) {
    // Already allowed or denied: nobody is asked.
    const status = await navigator.permissions
      .query({ name: name as PermissionName })
      .catch(() => undefined);
    if (status?.state === "prompt") waiting.push(name);
  }
  return waiting;
}

function hear(event: Event): void {
  const { detail } = event as CustomEvent<unknown>;
  for (const name of String(detail).split(" ")) if (NAMES.has(name)) asked.add(name);
}
