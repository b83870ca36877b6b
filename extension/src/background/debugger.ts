// The debugger, attached to a tab when first needed and let go when idle.
// A user who cancels the debugging bar has said no: such a tab is not attached
// to again until the user reconnects.
import type { DebuggerDetached } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { watchCrashes } from "./crashes";
import { unlessDialog, watchDialogs } from "./dialogs";
import { refuseUnreachableTab } from "./reachable";

const PROTOCOL_VERSION = "1.3";
const IDLE_MS = 5 * 60_000;
/** What couldn't be attached to isn't tried again for so long: the events of one click go one way. */
const REFUSED_MS = 3_000;

export interface DebuggerCommand {
  method: string;
  params?: Record<string, unknown>;
}

/** Chrome let go while a command was under way, or just before, which is told too late. */
const DETACHED = /^(Detached while handling command|Debugger is not attached to the tab)/;
const FOCUS_EMULATION = "Emulation.setFocusEmulationEnabled";
/** Windows for choosing files are held back, or no longer. */
export const FILE_CHOOSERS = "Page.setInterceptFileChooserDialog";

/** After the user cancelled debugging. */
const GOING_ON =
  "Ask them to press Resume in Outrigger's panel, or Disconnect and then Connect in its popup, to go on.";

/** It can't attach, and nothing was sent. The user did not say no. */
export class DebuggerUnavailable extends Refused {
  constructor(sentence: string, by: string) {
    super("debugger_refused", sentence, { by });
  }
}

interface Session {
  attached: Promise<void>;
  idle: ReturnType<typeof setTimeout>;
}

const sessions = new Map<number, Session>();
const unavailable = new Map<number, { error: DebuggerUnavailable; until: number }>();
const cancelledTabs = new Set<number>();
/** What is to be switched on in a tab's debugger again whenever it attaches anew. */
const standing = new Map<number, DebuggerCommand[]>();
let changed: () => void = () => {};

const cancelledLoaded = chrome.storage.session.get({ cancelledTabs: [] }).then((stored) => {
  for (const tabId of stored.cancelledTabs as number[]) cancelledTabs.add(tabId);
});

export function watchDebugger(
  detached: (event: DebuggerDetached) => void,
  onChange: () => void,
): void {
  changed = onChange;
  watchDialogs();
  watchCrashes();
  chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
    if (tabId === undefined) return;
    forget(tabId);
    if (reason === "canceled_by_user") rememberCancelled(tabId);
    detached({ tabId, reason });
  });
  chrome.tabs.onRemoved.addListener((tabId) => {
    standing.delete(tabId);
    unavailable.delete(tabId);
    if (cancelledTabs.delete(tabId)) saveCancelled();
  });
  // Another page may be attached to.
  chrome.tabs.onUpdated.addListener((tabId, { status }) => {
    if (status === "loading") unavailable.delete(tabId);
  });
  chrome.tabs.onReplaced.addListener(takeOver);
  void adoptOrphans();
}

/** Chrome put one tab in the place of another: what held for it holds for the new one. */
function takeOver(tabId: number, oldTabId: number): void {
  forget(oldTabId);
  const commands = standing.get(oldTabId);
  standing.delete(oldTabId);
  if (commands) standing.set(tabId, commands);
  if (cancelledTabs.delete(oldTabId)) rememberCancelled(tabId);
}

/** One command, attaching first if need be. `sessionId`: to a frame with a session of its own. */
export async function sendDebuggerCommand<Result = Record<string, unknown>>(
  tabId: number,
  method: string,
  params: Record<string, unknown> = {},
  sessionId?: string,
): Promise<Result> {
  await refuseUnreachableTab(tabId);
  try {
    // A page with a dialog that nobody told of answers not even the first command.
    const result = await unlessDialog(tabId, async () => {
      await attach(tabId);
      return chrome.debugger.sendCommand(
        { tabId, ...(sessionId && { sessionId }) },
        method,
        params,
      );
    });
    return (result ?? {}) as Result;
  } catch (error) {
    // Of a tab that closed meanwhile Chrome says only that the debugger is detached.
    if (error instanceof Error && DETACHED.test(error.message)) {
      await chrome.tabs.get(tabId);
      throw cancelledTabs.has(tabId) ? cancelledMeanwhile() : letGoByChrome();
    }
    throw readable(error);
  }
}

/**
 * Attached, where Chrome lets us: in a tab behind others, fields take the focus
 * only so. A user's no is no.
 */
export async function attachIfPossible(tabId: number): Promise<void> {
  try {
    await sendDebuggerCommand(tabId, FOCUS_EMULATION, { enabled: true });
  } catch (error) {
    if (!(error instanceof DebuggerUnavailable)) throw error;
  }
}

/**
 * Commands that hold on: given now, and again after the debugger was let go.
 * Of one method the last one counts.
 */
export async function keepSwitchedOn(tabId: number, commands: DebuggerCommand[]): Promise<void> {
  for (const { method, params } of commands) await sendDebuggerCommand(tabId, method, params);
  const isOther = ({ method }: DebuggerCommand) => commands.every((one) => one.method !== method);
  standing.set(tabId, [...(standing.get(tabId) ?? []).filter(isOther), ...commands]);
}

/** How a command that holds on was given last. */
export function switchedOn(tabId: number, method: string): DebuggerCommand["params"] {
  return standing.get(tabId)?.find((command) => command.method === method)?.params;
}

export function isDebugged(tabId: number): boolean {
  return sessions.has(tabId);
}

export function debuggedTabCount(): number {
  return sessions.size;
}

/** The user wants no link: then no debugging bar either. */
export function releaseAllTabs(): void {
  for (const tabId of [...sessions.keys()]) release(tabId);
}

/** The user reconnected: what they cancelled before may be asked for again. */
export function forgiveCancelledTabs(): void {
  forgiveTabs([...cancelledTabs]);
}

/** The user lets somebody go on in these tabs. */
export function forgiveTabs(tabIds: readonly number[]): void {
  for (const tabId of tabIds) cancelledTabs.delete(tabId);
  saveCancelled();
}

async function attach(tabId: number): Promise<void> {
  await cancelledLoaded;
  if (cancelledTabs.has(tabId)) {
    throw new Refused(
      "debugger_refused",
      `The user cancelled debugging of this tab, which pauses the agent there. ${GOING_ON}`,
    );
  }
  let session = sessions.get(tabId);
  if (!session) {
    const refused = unavailable.get(tabId);
    if (refused && Date.now() < refused.until) throw refused.error;
    session = { attached: begin(tabId), idle: startIdling(tabId) };
    sessions.set(tabId, session);
    session.attached.then(changed, () => forget(tabId));
  } else {
    clearTimeout(session.idle);
    session.idle = startIdling(tabId);
  }
  await session.attached;
}

async function begin(tabId: number): Promise<void> {
  const target = { tabId };
  try {
    await chrome.debugger.attach(target, PROTOCOL_VERSION);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // It may be our own, of a worker before this one: then commands go through.
    if (/^Another debugger/i.test(message) && (await isOurs(tabId))) return prepare(tabId);
    throw refusal(tabId, message);
  }
  await prepare(tabId);
}

function refusal(tabId: number, message: string): DebuggerUnavailable {
  const sentence = /^Another debugger/i.test(message)
    ? "Another debugger is attached to this tab. Ask the user to close its developer tools or the other extension's session, or use another tab."
    : "The debugger could not attach to the tab. Use another tab.";
  const error = new DebuggerUnavailable(sentence, message);
  unavailable.set(tabId, { error, until: Date.now() + REFUSED_MS });
  return error;
}

async function isOurs(tabId: number): Promise<boolean> {
  const command = chrome.debugger.sendCommand({ tabId }, "Page.enable");
  return command.then(
    () => true,
    () => false,
  );
}

/** Lets go in time of what a worker before this one was attached to. */
async function adoptOrphans(): Promise<void> {
  const targets = await chrome.debugger.getTargets();
  for (const { tabId, attached } of targets) {
    if (tabId === undefined || !attached || sessions.has(tabId)) continue;
    if (!(await isOurs(tabId)) || sessions.has(tabId)) continue;
    sessions.set(tabId, { attached: Promise.resolve(), idle: startIdling(tabId) });
    // That worker can't let them go any more.
    chrome.debugger.sendCommand({ tabId }, FILE_CHOOSERS, { enabled: false }).catch(() => {});
    changed();
  }
}

async function prepare(tabId: number): Promise<void> {
  const target = { tabId };
  // A tab in the background draws nothing and runs no animation frame without it.
  await chrome.debugger.sendCommand(target, FOCUS_EMULATION, { enabled: true });
  // For its crashes and its dialogs. A page that is busy answers late; the order is kept all the same.
  const later = [
    { method: "Inspector.enable" },
    { method: "Page.enable" },
    ...(standing.get(tabId) ?? []),
  ];
  for (const { method, params } of later as DebuggerCommand[]) {
    chrome.debugger.sendCommand(target, method, params).catch(() => {});
  }
}

/** Chrome does so when it asks its user something about the tab, such as whether to open another program. */
function letGoByChrome(): Refused {
  return new Refused(
    "outcome_unknown",
    "The browser let go of the debugger while this was done, as it does when it asks the user something, for instance whether to open another program. It may have been done. Look at the page; if the tab takes no clicks any more, ask the user to answer the browser's question there, or go on in a new tab.",
  );
}

function cancelledMeanwhile(): Refused {
  return new Refused(
    "outcome_unknown",
    `The user cancelled debugging of this tab while this was done, so part of it may have been done. That pauses the agent there. ${GOING_ON}`,
  );
}

/** The debugger's own errors arrive as JSON in place of a sentence. */
function readable(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith("{")) return error;
  try {
    const { message } = JSON.parse(error.message) as { message?: unknown };
    return typeof message === "string" ? new Error(message) : error;
  } catch {
    return error;
  }
}

function startIdling(tabId: number): ReturnType<typeof setTimeout> {
  return setTimeout(() => release(tabId), IDLE_MS);
}

function release(tabId: number): void {
  forget(tabId);
  chrome.debugger.detach({ tabId }).catch(() => {});
}

function forget(tabId: number): void {
  const session = sessions.get(tabId);
  if (!session) return;
  clearTimeout(session.idle);
  sessions.delete(tabId);
  changed();
}

function rememberCancelled(tabId: number): void {
  cancelledTabs.add(tabId);
  saveCancelled();
}

function saveCancelled(): void {
  void chrome.storage.session.set({ cancelledTabs: [...cancelledTabs] });
}
