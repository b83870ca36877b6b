// Dialogs of pages: alert, confirm, prompt, and the question before leaving. A
// page that shows one answers nothing, so whatever waits for it is refused at
// once. Chrome tells of dialogs only in tabs that the debugger is attached to.
import { Refused } from "../protocol/refused";

interface Dialog {
  type: string;
  message: string;
  defaultPrompt?: string;
}

export interface KeyEvent {
  type?: unknown;
  key?: unknown;
}

const LONGEST_MESSAGE = 300;
/** Which key says what. */
const ANSWERS = new Map<unknown, boolean>([
  ["Enter", true],
  ["Escape", false],
]);

const open = new Map<number, Dialog>();
const waiting = new Map<number, Set<(refused: Refused) => void>>();
/** Tabs that are being sent elsewhere or closed: whether to leave was decided. */
const leaving = new Set<number>();
/** Keys that answered a dialog: the page must not see their release either. */
const answering = new Map<number, { key: unknown; answered: Promise<void> }>();

export function watchDialogs(): void {
  chrome.debugger.onEvent.addListener(({ tabId }, method, params) => {
    if (tabId === undefined) return;
    if (method === "Page.javascriptDialogOpening") noteDialog(tabId, params as unknown as Dialog);
    if (method === "Page.javascriptDialogClosed") open.delete(tabId);
  });
  chrome.debugger.onDetach.addListener(({ tabId }) => {
    if (tabId === undefined) return;
    open.delete(tabId);
    answering.delete(tabId);
  });
}

/** Does something that needs the page, unless a dialog is open or opens meanwhile. */
export async function unlessDialog<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const dialog = open.get(tabId);
  if (dialog) throw dialogOpen(dialog);
  return untilDialog(tabId, work);
}

/** Leaves a page, whatever it asks; a dialog of the next one ends the wait. */
export async function leavePage<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  leaving.add(tabId);
  try {
    const dialog = open.get(tabId);
    if (dialog) await answerDialog(tabId, dialog, dialog.type === "beforeunload");
    return await untilDialog(tabId, work);
  } finally {
    leaving.delete(tabId);
  }
}

/** Whether a key event was for an open dialog, and is thereby done. */
export async function answerByKey(tabId: number, { type, key }: KeyEvent): Promise<boolean> {
  const pressed = answering.get(tabId);
  if (pressed && type === "keyUp" && pressed.key === key) {
    answering.delete(tabId);
    await pressed.answered;
    return true;
  }
  // A release that never came must not swallow a later one.
  answering.delete(tabId);
  const dialog = open.get(tabId);
  const accept = ANSWERS.get(key);
  if (!dialog || accept === undefined || type === "keyUp") return false;
  const answered = answerDialog(tabId, dialog, accept);
  answering.set(tabId, { key, answered });
  await answered;
  return true;
}

function noteDialog(tabId: number, dialog: Dialog): void {
  if (dialog.type === "beforeunload" && leaving.has(tabId)) {
    void answerDialog(tabId, dialog, true);
    return;
  }
  open.set(tabId, dialog);
  const refused = dialogOpen(dialog);
  for (const refuse of waiting.get(tabId) ?? []) refuse(refused);
}

async function answerDialog(tabId: number, dialog: Dialog, accept: boolean): Promise<void> {
  const { defaultPrompt } = dialog;
  await chrome.debugger
    .sendCommand({ tabId }, "Page.handleJavaScriptDialog", {
      accept,
      ...(defaultPrompt && { promptText: defaultPrompt }),
    })
    // The user may have been faster, or the page gone.
    .catch(() => {});
  if (open.get(tabId) === dialog) open.delete(tabId);
}

async function untilDialog<Result>(tabId: number, work: () => Promise<Result>): Promise<Result> {
  const refusals = waiting.get(tabId) ?? new Set();
  waiting.set(tabId, refusals);
  const opened = Promise.withResolvers<never>();
  refusals.add(opened.reject);
  try {
    return await Promise.race([work(), opened.promise]);
  } finally {
    refusals.delete(opened.reject);
    if (refusals.size === 0) waiting.delete(tabId);
  }
}

function dialogOpen({ type, message }: Dialog): Refused {
  return new Refused(
    "dialog_open",
    "A dialog of the page is open, and the page waits for it. Accept it with browser_press_key Enter, or dismiss it with Escape.",
    { by: `${type}: ${message.slice(0, LONGEST_MESSAGE)}` },
  );
}
