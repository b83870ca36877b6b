// Dialogs of pages: alert, confirm, prompt, and the question before leaving. A
// page that shows one answers nothing, so whatever waits for it is refused at
// once. Chrome tells of dialogs only in tabs that the debugger is attached to.
import type { AnsweredDialog, DialogKind } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { interrupt, untilInterrupted } from "./interruptions";
import { onAnyNavigation } from "./navigation";
import { unlessSilent } from "./silence";

export interface Dialog {
  type: DialogKind;
  message: string;
  defaultPrompt?: string;
}

export interface KeyEvent {
  type?: unknown;
  key?: unknown;
}

const LONGEST_MESSAGE = 300;
/** From so many in a row on, the way out is told too. */
const STORM = 5;
/** Which key says what. */
const ANSWERS = new Map<unknown, boolean>([
  ["Enter", true],
  ["Escape", false],
]);

const open = new Map<number, Dialog>();
/** How many a tab's page has shown. */
const shown = new Map<number, number>();
/** What to do with a dialog: accept it or not, or tell whoever waits. */
export type Decision = boolean | "tell";

/** Whoever sends a tab elsewhere decides on the dialogs in its way. */
const deciders = new Map<number, (dialog: Dialog) => Decision>();
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
    shown.delete(tabId);
    answering.delete(tabId);
  });
  onAnyNavigation(({ tabId, kind }) => {
    if (kind === "committed") shown.delete(tabId);
  });
}

export function openDialog(tabId: number): Dialog | undefined {
  return open.get(tabId);
}

/** Whether the page shows one dialog after the other, and one now. */
export function isStormy(tabId: number): boolean {
  return open.has(tabId) && (shown.get(tabId) ?? 0) >= STORM;
}

/** Does something that needs the page, unless a dialog is open or opens meanwhile. */
export async function unlessDialog<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  return untilDialog(tabId, () => unlessSilent(tabId, work));
}

/** The same for what a page that is busy doesn't hold up. */
export async function untilDialog<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const dialog = open.get(tabId);
  if (dialog) throw dialogOpen(tabId, dialog, "A dialog of the page is open");
  return untilInterrupted(tabId, work);
}

/** Has another decide on dialogs for as long as it works. */
export async function whileDeciding<Result>(
  tabId: number,
  decide: (dialog: Dialog) => Decision,
  work: () => Promise<Result>,
): Promise<Result> {
  deciders.set(tabId, decide);
  try {
    const dialog = open.get(tabId);
    const decision = dialog && decide(dialog);
    if (dialog && typeof decision === "boolean") await answerDialog(tabId, dialog, decision);
    return await untilInterrupted(tabId, work);
  } finally {
    if (deciders.get(tabId) === decide) deciders.delete(tabId);
  }
}

/** Answers the dialog that is open. */
export async function handleDialog(
  tabId: number,
  accept: boolean,
  text: string | undefined,
): Promise<AnsweredDialog> {
  const dialog = open.get(tabId);
  if (!dialog) {
    throw new Refused("not_found", "No dialog of the page is open. Take a browser_snapshot.");
  }
  if (text !== undefined && dialog.type !== "prompt") {
    throw new Refused(
      "invalid_arguments",
      "Only a prompt takes a text, and this dialog is none. Leave `text` out.",
      wordsOf(dialog),
    );
  }
  await answerDialog(tabId, dialog, accept, text);
  return { kind: dialog.type };
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
  shown.set(tabId, (shown.get(tabId) ?? 0) + 1);
  const decision = deciders.get(tabId)?.(dialog) ?? "tell";
  if (decision !== "tell") {
    void answerDialog(tabId, dialog, decision);
    return;
  }
  open.set(tabId, dialog);
  interrupt(tabId, dialogOpen(tabId, dialog, "A dialog of the page opened"));
}

async function answerDialog(
  tabId: number,
  dialog: Dialog,
  accept: boolean,
  text = dialog.defaultPrompt,
): Promise<void> {
  await chrome.debugger
    .sendCommand({ tabId }, "Page.handleJavaScriptDialog", {
      accept,
      ...(text && { promptText: text }),
    })
    // The user may have been faster, or the page gone.
    .catch(() => {});
  if (open.get(tabId) === dialog) open.delete(tabId);
}

function dialogOpen(tabId: number, dialog: Dialog, what: string): Refused {
  const count = shown.get(tabId) ?? 0;
  const storm =
    count >= STORM
      ? ` It is dialog number ${count} of this page; browser_navigate leaves the page, dialogs and all.`
      : "";
  return new Refused(
    "dialog_open",
    `${what}, and the page waits for the answer. Give it with browser_handle_dialog; what it says is below.${storm}`,
    wordsOf(dialog),
  );
}

function wordsOf({ type, message }: Dialog): { by: string } {
  return { by: `${type}: ${message.slice(0, LONGEST_MESSAGE)}` };
}
