// Hears when a page asks the user to allow it something: its own world is listened in
// on, in documents where something is about to be pressed, and once in each. Nobody
// waits for it; what is put there comes before the press, which goes the same way.
import { callPage } from "./page-calls";

const MOST_KNOWN = 200;

const known = new Set<string>();

export function listenForAsking(tabId: number, documentId: string): void {
  if (known.has(documentId)) return;
  known.add(documentId);
  for (const oldest of known) if (known.size > MOST_KNOWN) known.delete(oldest);
  // A name that no page can look out for.
  const eventName = crypto.randomUUID();
  const listening = chrome.scripting.executeScript({
    target: { tabId, documentIds: [documentId] },
    world: "MAIN",
    injectImmediately: true,
    func: tellAsking,
    args: [eventName],
  });
  const hearing = callPage(tabId, "hearAsking", eventName, { documents: [documentId] });
  // Where nobody can listen, less is told.
  Promise.all([listening, hearing]).catch(() => known.delete(documentId));
}

/** Runs in the page's own world, and knows nothing of this one. */
function tellAsking(eventName: string): void {
  type Holder = Record<string, unknown> | undefined;
  const world = globalThis as unknown as Record<string, { prototype?: Holder } & Holder>;
  const tell = (names: string[]) =>
    document.dispatchEvent(new CustomEvent(eventName, { detail: names.join(" ") }));
  const listen = (holder: Holder, method: string, names: (argument: unknown) => string[]) => {
    const original = holder?.[method];
    if (!holder || typeof original !== "function") return;
    holder[method] = new Proxy(original, {
      apply(target, self, args) {
        tell(names(args[0]));
        return Reflect.apply(target, self, args);
      },
    });
  };
  for (const method of ["getCurrentPosition", "watchPosition"]) {
    listen(world.Geolocation?.prototype, method, () => ["geolocation"]);
  }
  listen(world.Notification, "requestPermission", () => ["notifications"]);
  listen(world.MediaDevices?.prototype, "getUserMedia", (wanted) => {
    const { video, audio } = (wanted ?? {}) as { video?: unknown; audio?: unknown };
    return [...(video ? ["camera"] : []), ...(audio ? ["microphone"] : [])];
  });
  for (const method of ["read", "readText"]) {
    listen(world.Clipboard?.prototype, method, () => ["clipboard-read"]);
  }
}
