// "Stop everything" and its opposite, as the popup and the panel show them.
import { whenPressed } from "./pressed";
import type { UserCommand } from "./protocol/generated";
import { byId } from "./status-words";
import type { WorkerStatus } from "./worker-channel";

export function handleStop(order: (command: UserCommand) => void): void {
  const stop = byId("stop-everything", HTMLButtonElement);
  whenPressed(stop, () => order({ command: "stopEverything" }));
  whenPressed(byId("go-on", HTMLButtonElement), () => order({ command: "goOn" }));
}

export function showStop({ isStopped, helm }: WorkerStatus): void {
  byId("stopped", HTMLElement).hidden = !isStopped;
  // Without an agent there is nothing to stop.
  byId("stop-everything", HTMLElement).hidden = isStopped || !helm?.sessions.length;
}

/** The user may have chosen another shortcut, or none. */
export async function showShortcut(): Promise<void> {
  const commands = await chrome.commands.getAll();
  const shortcut = commands.find(({ name }) => name === "stop-everything")?.shortcut ?? "";
  byId("shortcut", HTMLElement).textContent = shortcut;
}
