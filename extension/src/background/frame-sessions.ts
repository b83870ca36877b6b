// Frames of other sites run in processes of their own: there the debugger has a session
// for each, in which it must be told to listen anew. They are announced once, whoever
// listens later, so they are remembered here.
import type { DebuggerCommand } from "./debugger";

/** Has the debugger announce them; given in such a session, also those inside. */
export const FRAMES: DebuggerCommand = {
  method: "Target.setAutoAttach",
  params: {
    autoAttach: true,
    flatten: true,
    waitForDebuggerOnStart: false,
    filter: [{ type: "iframe" }],
  },
};

const sessions = new Map<number, Set<string>>();

export function frameSessions(tabId: number): string[] {
  return [...(sessions.get(tabId) ?? [])];
}

export function noteFrameSession(tabId: number, sessionId: string): void {
  sessions.set(tabId, (sessions.get(tabId) ?? new Set()).add(sessionId));
}

export function forgetFrameSession(tabId: number, sessionId: string): void {
  sessions.get(tabId)?.delete(sessionId);
}

/** With the tab, or when the debugger lets go of it. */
export function forgetFrameSessions(tabId: number): void {
  sessions.delete(tabId);
}
