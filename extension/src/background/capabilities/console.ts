// `console`: what a tab's console holds, through the debugger. The first call
// in a tab begins the recording, with what its document wrote before.
import type { ConsoleLog, ConsoleParams } from "../../protocol/generated";
import { ConsoleEntries } from "../console-entries";
import { lookInto } from "../object-look";
import { Recording } from "../recording";
import { defineCapability } from "./capability";

/** Off first: a worker before this one may have left them on, and then nothing is told again. */
const COMMANDS = ["Runtime.disable", "Log.disable", "Runtime.enable", "Log.enable"];

const recording = new Recording(
  COMMANDS.map((method) => ({ method })),
  () => new ConsoleEntries(),
);

export function watchConsole(): void {
  recording.watch();
}

export const tabConsole = defineCapability<ConsoleParams>({
  name: "console",
  version: "1.0",
  riskLevel: "read",
  requiresGesture: false,
  dataTypes: ["consoleEntries"],
  async run({ tabId }): Promise<ConsoleLog> {
    const entries = await recording.of(tabId);
    await entries.clarify((objectId, sessionId) => lookInto(tabId, objectId, sessionId));
    return entries.log;
  },
});
