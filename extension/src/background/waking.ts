// Chrome lets a page in the background tick once a second, which looks like
// quiet. With a debugger attached it runs as if it were in front.
import { Refused } from "../protocol/refused";
import { sendDebuggerCommand } from "./debugger";

export async function wakeUp(tabId: number): Promise<void> {
  try {
    await sendDebuggerCommand(tabId, "Page.getLayoutMetrics");
  } catch (error) {
    const isRefused = error instanceof Refused && error.code === "debugger_refused";
    if (!isRefused) throw error;
  }
}
