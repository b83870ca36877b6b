// The highest ref number that the hub gave out in each tab. Kept here because
// a tab outlives a hub: one that was restarted must not give a number out twice.

const floors = new Map<number, number>();

const loaded = chrome.storage.session.get({ refFloors: {} }).then(({ refFloors }) => {
  for (const [tab, floor] of Object.entries(refFloors as Record<string, number>)) {
    raise(Number(tab), floor);
  }
});

/** What a worker before this one knew is known again once this resolves. */
export function refFloorsLoaded(): Promise<void> {
  return loaded;
}

export function refFloor(tabId: number): number {
  return floors.get(tabId) ?? 0;
}

export function raiseRefFloor(tabId: number, floor: number): void {
  if (raise(tabId, floor)) save();
}

export function dropRefFloor(tabId: number): void {
  if (floors.delete(tabId)) save();
}

/** Chrome put one tab in the place of another. */
export function moveRefFloor(from: number, to: number): void {
  const floor = floors.get(from);
  if (floor === undefined) return;
  floors.delete(from);
  raise(to, floor);
  save();
}

function raise(tabId: number, floor: number): boolean {
  if (floor <= refFloor(tabId)) return false;
  floors.set(tabId, floor);
  return true;
}

function save(): void {
  void loaded.then(() => chrome.storage.session.set({ refFloors: Object.fromEntries(floors) }));
}
