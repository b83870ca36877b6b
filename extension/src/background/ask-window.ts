// The small window in which the user is asked while no panel is in sight. There is one
// at most, and it takes nobody's focus: whoever types goes on typing. Its page says
// when nothing is asked any more, and it is closed here: one that closed itself would
// take along what is asked meanwhile. A request opens it once; if the user closes it,
// the badge and the notification are left.
import type { UserRequest } from "../protocol/generated";
import { openUnfocused } from "./unfocused-window";

const WINDOW = { url: "sidepanel.html?window", type: "popup", width: 400, height: 640 } as const;

interface Remembered {
  windowId: number | undefined;
  /** Requests that were shown in the window. */
  shown: string[];
}

export class AskWindow {
  readonly #panelIsInSight: () => boolean;
  readonly #isAsked: () => boolean;
  #loading: Promise<Remembered> | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** Whether the user sees another panel, and whether anything is asked now. */
  constructor(panelIsInSight: () => boolean, isAsked: () => boolean) {
    this.#panelIsInSight = panelIsInSight;
    this.#isAsked = isAsked;
  }

  /** All that is asked now; to be called again when a panel goes out of sight. */
  ask(requests: readonly UserRequest[]): Promise<void> {
    return this.#inTurn(async (remembered) => {
      const asked = requests.map(keyOf);
      const shown = asked.filter((key) => remembered.shown.includes(key));
      const isNew = shown.length < asked.length && !this.#panelIsInSight();
      remembered.shown = isNew ? asked : shown;
      if (isNew && !(await update(remembered.windowId, { drawAttention: true }))) {
        remembered.windowId = (await openBeside())?.id;
      }
    });
  }

  /** The user wants to answer. Chrome opens the side panel for a gesture only, and may see none. */
  open(): Promise<void> {
    return this.#inTurn(async (remembered) => {
      if (await update(remembered.windowId, { focused: true })) return;
      const { id: windowId } = await chrome.windows.getLastFocused();
      try {
        await chrome.sidePanel.open({ windowId: windowId ?? chrome.windows.WINDOW_ID_CURRENT });
      } catch {
        remembered.windowId = (await chrome.windows.create(WINDOW))?.id;
      }
    });
  }

  close(): Promise<void> {
    return this.#inTurn(async (remembered) => {
      const { windowId } = remembered;
      if (windowId === undefined || this.#isAsked()) return;
      remembered.windowId = undefined;
      await chrome.windows.remove(windowId).catch(() => {});
    });
  }

  /** One after the other, or two of them would open a window each. */
  #inTurn(act: (remembered: Remembered) => Promise<void>): Promise<void> {
    const turn = this.#turn.then(async () => {
      this.#loading ??= load();
      const remembered = await this.#loading;
      const before = JSON.stringify(remembered);
      await act(remembered);
      if (JSON.stringify(remembered) === before) return;
      await chrome.storage.session.set({ askWindow: remembered });
    });
    // A browser without a window, for one, can open none; the badge is there.
    this.#turn = turn.catch(() => {});
    return this.#turn;
  }
}

/**
 * Beside the window in use, on the side with room: most window managers put what
 * opens without the focus behind what has it. Chrome refuses a place that is more
 * than half off the screen.
 */
async function openBeside(): Promise<chrome.windows.Window | undefined> {
  const { left = 0, top = 0, width = 0 } = await chrome.windows.getLastFocused();
  for (const beside of [left + width, left - WINDOW.width]) {
    try {
      return await openUnfocused({ ...WINDOW, left: beside, top });
    } catch {
      // No room there.
    }
  }
  return openUnfocused(WINDOW);
}

/** A hub that was started anew counts from the beginning. */
function keyOf({ id, session, what, question }: UserRequest): string {
  return JSON.stringify([id, session, what, question?.untilMs]);
}

/** Outlives the worker. */
async function load(): Promise<Remembered> {
  const nothing: Remembered = { windowId: undefined, shown: [] };
  const { askWindow } = await chrome.storage.session.get({ askWindow: nothing });
  return askWindow as Remembered;
}

/** Whether there is such a window. */
async function update(id: number | undefined, how: chrome.windows.UpdateInfo): Promise<boolean> {
  if (id === undefined) return false;
  return chrome.windows.update(id, how).then(
    () => true,
    () => false,
  );
}
