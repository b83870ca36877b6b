// The worlds that scripts of a tab run in: the page's own in each frame, and the
// extension's beside it. The debugger tells of them once it is asked to; frames
// in processes of their own are not among them.
import { sendDebuggerCommand } from "./debugger";

export interface World {
  id: number;
  frameId: string;
  isPages: boolean;
  /** Of the extension's own scripts. */
  isOurs: boolean;
}

interface Context {
  id: number;
  origin: string;
  auxData?: { frameId?: string; isDefault?: boolean };
}

const worlds = new Map<number, Map<number, World>>();

export function watchWorlds(): void {
  chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params) => {
    if (tabId === undefined || sessionId !== undefined) return;
    const told = (params ?? {}) as { context?: Context; executionContextId?: number };
    if (method === "Runtime.executionContextsCleared") worlds.delete(tabId);
    else if (method === "Runtime.executionContextDestroyed") {
      worlds.get(tabId)?.delete(told.executionContextId ?? 0);
    } else if (method === "Runtime.executionContextCreated" && told.context) {
      const known = worlds.get(tabId) ?? new Map();
      worlds.set(tabId, known.set(told.context.id, worldOf(told.context)));
    }
  });
  chrome.debugger.onDetach.addListener(({ tabId }) => {
    if (tabId !== undefined) worlds.delete(tabId);
  });
}

export async function worldsOf(tabId: number): Promise<World[]> {
  if (!worlds.has(tabId)) {
    // Off first: a worker before this one may have left it on, and then nothing is told again.
    await sendDebuggerCommand(tabId, "Runtime.disable");
    await sendDebuggerCommand(tabId, "Runtime.enable");
  }
  return [...(worlds.get(tabId)?.values() ?? [])];
}

function worldOf({ id, origin, auxData }: Context): World {
  return {
    id,
    frameId: auxData?.frameId ?? "",
    isPages: auxData?.isDefault === true,
    isOurs: origin === `chrome-extension://${chrome.runtime.id}`,
  };
}
