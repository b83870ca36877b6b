// `upload`: gives files to a field. By path through the debugger, if the browser
// lets extensions do that; by bytes through the page. The paths were judged by
// the hub, and this is the only way for one into a page: `cdp` passes none on.
import type { UploadParams } from "../../protocol/generated";
import { Refused, refusalOf, refusedFrom } from "../../protocol/refused";
import { sendDebuggerCommand } from "../debugger";
import { callPage } from "../page-calls";
import { notePreparation } from "../prepared";
import { refuseUnreachableTab } from "../reachable";
import { defineCapability } from "./capability";

/** Not for want of a way: with these the call as a whole is over. */
const FINAL = new Set(["dialog_open", "no_tab", "stale_ref", "origin_changed"]);

interface FrameTree {
  frame: { id: string };
  childFrames?: FrameTree[];
}

interface Evaluated {
  result?: { subtype?: string; objectId?: string };
}

export const upload = defineCapability<UploadParams>({
  name: "upload",
  version: "1.0",
  riskLevel: "act",
  requiresGesture: false,
  dataTypes: ["files"],
  async run(params): Promise<Record<string, never>> {
    const { tabId, files } = params;
    await refuseUnreachableTab(tabId);
    if ("paths" in files) await givePaths(params, files.paths);
    else await ask(params, "giveFiles", { files: files.bytes });
    return {};
  },
});

async function givePaths(params: UploadParams, paths: string[]): Promise<void> {
  const isField = await ask<boolean>(params, "fileField", { count: paths.length });
  if (!isField) throw needsBytes();
  try {
    const field = await fieldObject(params);
    await sendDebuggerCommand(params.tabId, "DOM.setFileInputFiles", {
      files: paths,
      objectId: field,
    });
  } catch (error) {
    if (FINAL.has(refusalOf(error).code ?? "")) throw error;
    throw needsBytes();
  }
}

/**
 * The field as the debugger knows it. The page script's world and the
 * debugger's share the document and nothing else, so the one shows it to the
 * other with an event of a name that nobody can know.
 */
async function fieldObject(params: UploadParams): Promise<string> {
  const { tabId } = params;
  const type = `outrigger-${crypto.randomUUID()}`;
  const command = <Result>(method: string, args: Record<string, unknown>) =>
    sendDebuggerCommand<Result>(tabId, method, args);
  const { frameTree } = await command<{ frameTree: FrameTree }>("Page.getFrameTree", {});
  const worlds = await Promise.all(
    framesOf(frameTree).map(async (frameId) => {
      const world = await command<{ executionContextId: number }>("Page.createIsolatedWorld", {
        frameId,
        worldName: "Outrigger files",
      });
      const contextId = world.executionContextId;
      const expression = `addEventListener("${type}", (event) => { globalThis["${type}"] = event.composedPath()[0] }, { capture: true, once: true })`;
      await command("Runtime.evaluate", { contextId, expression });
      return contextId;
    }),
  );
  await ask(params, "announceFileField", { type });
  for (const contextId of worlds) {
    const expression = `globalThis["${type}"]`;
    const { result } = await command<Evaluated>("Runtime.evaluate", { contextId, expression });
    if (result?.subtype === "node" && result.objectId) return result.objectId;
  }
  throw needsBytes();
}

function framesOf({ frame, childFrames = [] }: FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(framesOf)];
}

function needsBytes(): Refused {
  return new Refused("debugger_refused", "The browser takes no paths here.", { needs: "bytes" });
}

async function ask<Value>(
  { tabId, documentId, node, origin }: UploadParams,
  name: string,
  args: Record<string, unknown>,
): Promise<Value> {
  const at = Date.now();
  const frames = { documents: [documentId] };
  const [frame] = await callPage(tabId, name, { ...args, node, origin }, frames);
  if (frame?.refusal) throw refusedFrom(frame.refusal);
  if (!frame) throw new Refused("stale_ref", "The page went away meanwhile.");
  notePreparation(tabId, { at, documentIds: [documentId], inward: [0, 0], presses: false });
  return frame.value as Value;
}
