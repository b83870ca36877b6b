// What the user chose and what must outlive the worker, in one place.
// `storage.local` outlives the browser, `storage.session` the worker only.
import { DEFAULT_HUB } from "./address";
import type { LoginEnd } from "./login";

export interface Settings {
  hub: string;
  /** Pasted by the user; forgotten once it was exchanged for a login. */
  pairingToken: string;
  /** The login's; good for one new pair of tokens. */
  refreshToken: string;
  /** Why the login ended, until the user pairs again. */
  loginEnded: LoginEnd | "";
  /** The switch: off stays off over restarts. */
  enabled: boolean;
  /** The hub ended the link; only the user takes it up again. */
  revoked: boolean;
}

const DEFAULTS: Settings = {
  hub: DEFAULT_HUB,
  pairingToken: "",
  refreshToken: "",
  loginEnded: "",
  enabled: true,
  revoked: false,
};

/** Keeps stored tokens out of reach of the scripts that run in pages. */
export function sealStorage(): void {
  void chrome.storage.local.setAccessLevel({ accessLevel: "TRUSTED_CONTEXTS" });
}

export async function readSettings(): Promise<Settings> {
  return (await chrome.storage.local.get({ ...DEFAULTS })) as unknown as Settings;
}

export async function writeSettings(changes: Partial<Settings>): Promise<void> {
  await chrome.storage.local.set(changes);
}

/** Disconnected by the user: until Connect, or until the browser is restarted. */
export async function readDisconnected(): Promise<boolean> {
  const { disconnected } = await chrome.storage.session.get({ disconnected: false });
  return disconnected === true;
}

export async function writeDisconnected(disconnected: boolean): Promise<void> {
  await chrome.storage.session.set({ disconnected });
}

/** Names this browser profile to the hub; made once. */
export async function clientId(): Promise<string> {
  const stored = await chrome.storage.local.get("clientId");
  if (typeof stored.clientId === "string") return stored.clientId;
  const made = `ext-${crypto.randomUUID()}`;
  await chrome.storage.local.set({ clientId: made });
  return made;
}
