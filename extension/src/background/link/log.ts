// The last things that happened to the link, for the popup. Survives the
// worker; never holds a token or anything a page said.

export interface LogLine {
  /** Milliseconds since the epoch. */
  at: number;
  what: string;
}

const KEPT = 50;

let lines: LogLine[] = [];
let saving = false;

const loaded = chrome.storage.session.get({ linkLog: [] }).then(({ linkLog }) => {
  lines = [...(linkLog as LogLine[]), ...lines].slice(-KEPT);
});

export function logLine(what: string): void {
  lines = [...lines, { at: Date.now(), what }].slice(-KEPT);
  void save();
}

export function logLines(): readonly LogLine[] {
  return lines;
}

async function save(): Promise<void> {
  if (saving) return;
  saving = true;
  await loaded;
  saving = false;
  await chrome.storage.session.set({ linkLog: lines });
}
