// What the page asked the user for since an action began, and the user has not answered
// yet: the browser asks them in a prompt of its own, of which it tells nobody. That the
// page asked is heard from its own world, where the worker puts a listener. What it would
// open besides, the print window or another program, is held back from there too.
import { listen } from "./clobbered";
import { holdBackAddress } from "./outward";
import { holdBackPrinting } from "./printing";

/** One word of the listener: what the page does, and with what. */
export type Heard =
  | ["asks", ...names: string[]]
  | ["chooses" | "chose", name: string]
  | ["prints"]
  | ["opens", address: string];

/** What the browser asks about until it is decided, and how it says whether it is. */
const PERMISSIONS = new Map<string, object>([
  ...["geolocation", "notifications", "camera", "microphone", "clipboard-read", "midi"].map(plain),
  ...["local-fonts", "window-management", "idle-detection"].map(plain),
  ["midi-sysex", { name: "midi", sysex: true }],
]);
/** What is chosen anew each time. Until then most tabs take no input. */
const CHOICES = new Set(["screen", "bluetooth", "usb", "serial", "hid", "file-picker"]);

let asked = new Set<string>();
const choosing = new Set<string>();
let stopHearing: () => void = () => {};

/** From now on, by the event of this name. */
export function hearAsking(eventName: string): void {
  stopHearing();
  stopHearing = listen(document, eventName, hear, { capture: true });
}

/** What was asked for before is another action's. What is being chosen still is. */
export function forgetAsking(): void {
  asked = new Set();
}

export async function undecidedSoFar(): Promise<string[]> {
  const waiting: string[] = [];
  for (const name of asked) {
    // Already allowed or denied: nobody is asked.
    const status = await navigator.permissions
      .query(PERMISSIONS.get(name) as PermissionDescriptor)
      .catch(() => undefined);
    if (status?.state === "prompt") waiting.push(name);
  }
  return [...waiting, ...choosing];
}

function hear(event: Event): void {
  const [verb, ...words] = JSON.parse(String((event as CustomEvent<unknown>).detail)) as Heard;
  const [first = ""] = words;
  if (verb === "asks") for (const name of words) if (PERMISSIONS.has(name)) asked.add(name);
  if (verb === "chooses" && CHOICES.has(first)) choosing.add(first);
  if (verb === "chose") choosing.delete(first);
  if (verb === "prints" && holdBackPrinting()) event.preventDefault();
  if (verb === "opens" && holdBackAddress(first)) event.preventDefault();
}

function plain(name: string): [string, object] {
  return [name, { name }];
}
