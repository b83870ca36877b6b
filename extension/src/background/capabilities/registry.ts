// Every capability. Adding one is a file of its own and a line here.
import { BUILD } from "../../build";
import { afterGesture } from "../gestures";
import { makeBatch } from "./batch";
import type { Capability } from "./capability";
import { captureScreen } from "./capture-screen";
import { cdp } from "./cdp";
import { tabConsole } from "./console";
import { dialog } from "./dialog";
import { downloads } from "./downloads";
import { drag } from "./drag";
import { evaluate } from "./evaluate";
import { extractDom } from "./extract-dom";
import { fill } from "./fill";
import { insert } from "./insert";
import { listTabs } from "./list-tabs";
import { network } from "./network";
import { pdf } from "./pdf";
import { screenshot } from "./screenshot";
import { script } from "./script";
import { settle } from "./settle";
import { tabs } from "./tabs";
import { upload } from "./upload";
import { wait } from "./wait";

/** What the few permissions of `lite` carry. */
const LITE = [captureScreen, extractDom, listTabs];

const READING = [downloads, network, pdf, screenshot, tabConsole];

const FULL = [
  ...LITE,
  ...READING,
  cdp,
  dialog,
  drag,
  evaluate,
  fill,
  insert,
  script,
  settle,
  tabs,
  upload,
  wait,
  makeBatch(findCapability),
];

export const capabilities: Capability[] = (BUILD === "lite" ? LITE : FULL).map(afterGesture);

export function findCapability(name: string): Capability | undefined {
  return capabilities.find((capability) => capability.name === name);
}
