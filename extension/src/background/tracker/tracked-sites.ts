// Which pages may be followed: those that the user lets be, and never one in a
// private window. What may not never leaves the browser.
import { readLaunch } from "../link/launch";

export interface TrackingChoice {
  /** The user lets agents follow what is looked at. */
  isOn: boolean;
  /** Sites that are left out all the same, with all below them. */
  excluded: readonly string[];
}

/** A browser that the hub launched has nothing to protect. */
export async function readTracking(): Promise<TrackingChoice> {
  const [stored, launch] = await Promise.all([
    chrome.storage.local.get(["tracking", "untrackedSites"]),
    readLaunch(),
  ]);
  const { tracking, untrackedSites } = stored;
  return {
    isOn: typeof tracking === "boolean" ? tracking : launch !== undefined,
    excluded: Array.isArray(untrackedSites) ? untrackedSites.filter(isText) : [],
  };
}

/** Each by itself: two choices at once don't undo each other. */
export async function switchTracking(isOn: boolean): Promise<void> {
  await chrome.storage.local.set({ tracking: isOn });
}

export async function excludeSites(excluded: readonly string[]): Promise<void> {
  await chrome.storage.local.set({ untrackedSites: [...excluded] });
}

/** The site of an address that could be followed; undefined where none could. */
export function siteOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  const isWeb = protocol === "http:" || protocol === "https:";
  // A name with a dot at its end is the same one.
  return isWeb ? hostname.replace(/\.$/, "") : undefined;
}

export function mayFollow(
  { url, incognito }: { url?: string | undefined; incognito: boolean },
  { isOn, excluded }: TrackingChoice,
): boolean {
  const site = siteOf(url ?? "");
  if (!isOn || incognito || site === undefined) return false;
  return !excluded.some((one) => site === one || site.endsWith(`.${one}`));
}

/** The list with one site on it, or without it and without those above it. */
export function withSite(
  excluded: readonly string[],
  site: string,
  follow: boolean,
): readonly string[] {
  const others = excluded.filter((one) => one !== site && !(follow && site.endsWith(`.${one}`)));
  return follow ? others : [...others, site].sort();
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
