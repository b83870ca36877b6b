// Which document of a tab was last made ready for input, and when: `settle`
// looks back to that moment, since what an input begins may begin before
// `settle` itself does.

export interface Preparation {
  at: number;
  /** The document of the element, and those of the frames around it, outwards. */
  documentIds: string[];
  /** From a point of the main frame to the same one of the element's: across, down. */
  inward: [number, number];
  /** A press is to follow, and the documents look out for it. */
  presses: boolean;
}

/** An older one belongs to something else. */
const FRESH_MS = 5_000;

const preparations = new Map<number, Preparation>();

export function notePreparation(tabId: number, preparation: Preparation): void {
  preparations.set(tabId, preparation);
}

/** Where the next input goes. */
export function lastPreparation(tabId: number): Preparation | undefined {
  const preparation = preparations.get(tabId);
  return preparation && Date.now() - preparation.at <= FRESH_MS ? preparation : undefined;
}

/** Each counts once: the next `settle` must not see this one's navigation again. */
export function takePreparation(tabId: number): Preparation | undefined {
  const preparation = lastPreparation(tabId);
  preparations.delete(tabId);
  return preparation;
}

export function forgetPreparations(): void {
  chrome.tabs.onRemoved.addListener((tabId) => preparations.delete(tabId));
}
