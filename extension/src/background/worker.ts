// Wires the worker together. Everything here runs while the worker starts,
// since Chrome only wakes it for listeners that were registered by then.
import { BUILD } from "../build";
import { watchConsole } from "./capabilities/console";
import { watchNetwork } from "./capabilities/network";
import { findCapability } from "./capabilities/registry";
import { debuggedTabCount, forgiveCancelledTabs, releaseAllTabs, watchDebugger } from "./debugger";
import { registerEarlyScript } from "./early-script";
import { Link } from "./link/link";
import { Requests } from "./link/requests";
import { sealStorage } from "./link/settings";
import { watchNavigations } from "./navigation";
import { forgetPreparations } from "./prepared";
import { StatusDesk } from "./status-desk";
import { forwardTabEvents } from "./tab-events";
import { watchForWarmUps } from "./warm-up";

const ALARM = "link";
/** The shortest period Chrome grants. */
const ALARM_MINUTES = 0.5;

export function startWorker(): void {
  sealStorage();
  const link = new Link(new Requests(findCapability), () => desk.publish());
  const desk = new StatusDesk({
    view: () => link.view,
    debuggedTabs: () => (BUILD === "lite" ? undefined : debuggedTabCount()),
    connect: () => {
      forgiveCancelledTabs();
      return link.connect();
    },
    disconnect: () => {
      releaseAllTabs();
      return link.disconnect();
    },
    setEnabled: (enabled) => {
      if (!enabled) releaseAllTabs();
      return link.setEnabled(enabled);
    },
  });
  desk.open();
  forwardTabEvents((event) => link.send(event));
  // Being called at all is what counts: the worker starts, and with it the link.
  chrome.runtime.onStartup.addListener(() => {});
  chrome.runtime.onInstalled.addListener(() => {});
  if (BUILD === "full") {
    watchNavigations();
    watchForWarmUps();
    void registerEarlyScript();
    forgetPreparations();
    watchConsole();
    watchNetwork();
    watchDebugger(
      (payload) => link.send({ event: "debugger.detached", payload }),
      () => desk.publish(),
    );
    chrome.alarms.onAlarm.addListener(() => void link.wake());
    void chrome.alarms.create(ALARM, { periodInMinutes: ALARM_MINUTES });
  }
  void link.wake();
}
