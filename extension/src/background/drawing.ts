// Keeps a tab in the background drawn for as long as something needs it. Focus
// emulation alone is good for one screenshot: the next one waits for a frame
// that never comes. A screencast, however tiny, makes Chrome go on drawing.
import { sendDebuggerCommand } from "./debugger";

const CAST = { format: "jpeg", quality: 1, maxWidth: 16, maxHeight: 16 };

const holders = new Map<number, number>();

export async function whileDrawn<Result>(
  tabId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  holders.set(tabId, (holders.get(tabId) ?? 0) + 1);
  try {
    await startCast(tabId);
    return await work();
  } finally {
    const others = (holders.get(tabId) ?? 1) - 1;
    if (others > 0) holders.set(tabId, others);
    else {
      holders.delete(tabId);
      // The tab may be gone by now, and its screencast with it.
      sendDebuggerCommand(tabId, "Page.stopScreencast").catch(() => {});
    }
  }
}

async function startCast(tabId: number): Promise<void> {
  try {
    await sendDebuggerCommand(tabId, "Page.startScreencast", CAST);
  } catch (error) {
    if (!(error instanceof Error && /already active/i.test(error.message))) throw error;
  }
}
