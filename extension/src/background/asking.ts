// Hears when a page asks the user for something, or would open a window of the browser's
// own: its own world is listened in on, in documents where something is about to be
// pressed, and once in each. Nobody waits for it; what is put there comes before the
// press, which goes the same way.
import type { Heard } from "../page/asking";
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
  const page = globalThis as unknown as Holder;
  /** False: it is held back. */
  const tell = (...words: Heard): boolean =>
    document.dispatchEvent(
      new CustomEvent(eventName, { detail: JSON.stringify(words), cancelable: true }),
    );
  const listen = (
    holder: Holder,
    method: string,
    heard: (argument: unknown) => Heard,
    then: { instead?: () => unknown; after?: (result: unknown) => void } = {},
  ) => {
    const original = holder?.[method];
    if (!holder || typeof original !== "function") return;
    holder[method] = new Proxy(original, {
      apply(target, self, args) {
        if (!tell(...heard(args[0]))) return then.instead?.();
        const result = Reflect.apply(target, self, args);
        then.after?.(result);
        return result;
      },
    });
  };
  const asks = (holder: Holder, method: string, ...names: string[]) =>
    listen(holder, method, () => ["asks", ...names]);
  const chooses = (holder: Holder, method: string, name: string) => {
    const over = () => tell("chose", name);
    const after = (result: unknown) => void Promise.resolve(result).then(over, over);
    listen(holder, method, () => ["chooses", name], { after });
  };
  asks(world.Geolocation?.prototype, "getCurrentPosition", "geolocation");
  asks(world.Geolocation?.prototype, "watchPosition", "geolocation");
  asks(world.Notification, "requestPermission", "notifications");
  asks(world.Clipboard?.prototype, "read", "clipboard-read");
  asks(world.Clipboard?.prototype, "readText", "clipboard-read");
  asks(world.IdleDetector, "requestPermission", "idle-detection");
  asks(page, "queryLocalFonts", "local-fonts");
  asks(page, "getScreenDetails", "window-management");
  listen(world.MediaDevices?.prototype, "getUserMedia", (wanted) => {
    const { video, audio } = (wanted ?? {}) as { video?: unknown; audio?: unknown };
    return ["asks", ...(video ? ["camera"] : []), ...(audio ? ["microphone"] : [])];
  });
  listen(world.Navigator?.prototype, "requestMIDIAccess", (wanted) => {
    const { sysex } = (wanted ?? {}) as { sysex?: unknown };
    return ["asks", sysex ? "midi-sysex" : "midi"];
  });
  chooses(world.MediaDevices?.prototype, "getDisplayMedia", "screen");
  chooses(world.Bluetooth?.prototype, "requestDevice", "bluetooth");
  chooses(world.USB?.prototype, "requestDevice", "usb");
  chooses(world.Serial?.prototype, "requestPort", "serial");
  chooses(world.HID?.prototype, "requestDevice", "hid");
  for (const method of ["showOpenFilePicker", "showSaveFilePicker", "showDirectoryPicker"]) {
    chooses(page, method, "file-picker");
  }
  // As for a person who closes the window again.
  const cancelled = () => {
    for (const type of ["beforeprint", "afterprint"]) window.dispatchEvent(new Event(type));
  };
  listen(page, "print", () => ["prints"], { instead: cancelled });
  listen(page, "open", (address) => ["opens", String(address ?? "")], { instead: () => null });
}
