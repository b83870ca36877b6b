// Tab groups of agent sessions: which group is whose, and tabs put into them.
// A session has at most one group in a window, so that sharing a tab doesn't
// move it to another window. Chrome's group ids outlive the worker, and so must
// what is known of them.
import type { SessionGroup } from "../protocol/generated";

/** The session of each group that we made. */
const owners = new Map<number, string>();

let tellJoined: (tabId: number) => void = () => {};

const loaded = chrome.storage.session.get({ tabGroups: {} }).then(({ tabGroups }) => {
  for (const [group, session] of Object.entries(tabGroups as Record<string, string>)) {
    if (!owners.has(Number(group))) owners.set(Number(group), session);
  }
});

/** What a worker before this one knew is known again once this resolves. */
export function tabGroupsLoaded(): Promise<void> {
  return loaded;
}

/** In whose group a tab is. */
export function sessionOfTab(tab: chrome.tabs.Tab): string | undefined {
  return tab.groupId === undefined ? undefined : owners.get(tab.groupId);
}

/** `joined`: a tab is in a new group, which Chrome reported before we knew whose it is. */
export function watchTabGroups(joined: (tabId: number) => void): void {
  tellJoined = joined;
  chrome.tabGroups.onRemoved.addListener(({ id }) => {
    if (owners.delete(id)) save();
  });
}

/** The window in which a session's tabs are. */
export async function windowOfSession(session: string): Promise<number | undefined> {
  await loaded;
  for (const [group, owner] of owners) {
    if (owner !== session) continue;
    const found = await chrome.tabGroups.get(group).catch(() => undefined);
    if (found) return found.windowId;
  }
  return undefined;
}

/** Puts a tab into its session's group; a popup window has no groups, and then it stays as it is. */
export async function putIntoGroup(tab: chrome.tabs.Tab, to: SessionGroup): Promise<void> {
  await loaded;
  const { id, windowId } = tab;
  if (id === undefined || sessionOfTab(tab) === to.session) return;
  const existing = await groupIn(windowId, to.session);
  try {
    if (existing !== undefined) {
      await chrome.tabs.group({ tabIds: [id], groupId: existing });
      return;
    }
    const group = await chrome.tabs.group({ tabIds: [id], createProperties: { windowId } });
    owners.set(group, to.session);
    save();
    tellJoined(id);
    await chrome.tabGroups.update(group, { title: to.title, color: to.colour });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    // The hub knows whose the tab is; the group only shows it.
    console.warn(`tab ${id} is in no group: ${why}`);
  }
}

/** Takes a tab out of whatever group it is in. */
export async function takeOutOfGroup(tabId: number): Promise<void> {
  await chrome.tabs.ungroup([tabId]).catch(() => {});
}

async function groupIn(windowId: number, session: string): Promise<number | undefined> {
  const groups = await chrome.tabGroups.query({ windowId });
  return groups.find(({ id }) => owners.get(id) === session)?.id;
}

function save(): void {
  void loaded.then(() => chrome.storage.session.set({ tabGroups: Object.fromEntries(owners) }));
}
