// Wires the worker together. Everything here runs while the worker starts,
// since Chrome only wakes it for listeners that were registered by then.
import { BUILD } from "../build";
import { AskWindow } from "./ask-window";
import { watchConsole } from "./capabilities/console";
import { watchNetwork } from "./capabilities/network";
import { findCapability } from "./capabilities/registry";
import { debuggedTabCount, forgiveCancelledTabs, releaseAllTabs, watchDebugger } from "./debugger";
import { watchDownloads } from "./downloads";
import { watchDrawing } from "./drawing";
import { registerEarlyScript } from "./early-script";
import { watchFailures } from "./failures";
import { watchFileChoosers } from "./file-choosers";
import { noteGesture } from "./gestures";
import { Helm, STOP_SHORTCUT } from "./helm";
import { Journal } from "./link/journal";
import { Link } from "./link/link";
import { Requests } from "./link/requests";
import { sealStorage } from "./link/settings";
import { watchNavigations } from "./navigation";
import { watchNotifications } from "./notices";
import { watchPageRequests } from "./page-requests";
import { forgetPreparations } from "./prepared";
import { watchReachability } from "./reachable";
import { watchSessionWindows } from "./session-window";
import { StatusDesk } from "./status-desk";
import { forwardTabEvents } from "./tab-events";
import { watchTabGroups } from "./tab-groups";
import { chromeOutlook, watchFront } from "./tracker/outlook";
import { Tracker } from "./tracker/tracker";
import { watchUserDeeds } from "./user-watch";
import { watchForWarmUps } from "./warm-up";
import { watchWorlds } from "./worlds";

const ALARM = "link";
/** The shortest period Chrome grants to an extension from its store. */
const ALARM_MINUTES = 0.5;
/**
 * While there is a link, a worker that dies should be back at once: somebody may
 * wait for an answer. An extension that is loaded from a folder gets its way.
 */
const LINKED_ALARM_MINUTES = 1 / 60;
/** Without a link for so long, no debugger stays; a worker without one lives little longer. */
const UNLINKED_MS = 20_000;

export function startWorker(): void {
  sealStorage();
  const requests = new Requests((name) => {
    helm.refuseIfStopped();
    return findCapability(name);
  }, new Journal());
  const link = new Link(requests, {
    changed: () => {
      if (link.view.state !== "connected") {
        helm.unlinked();
        tracker.unlinked();
      }
      desk.publish();
      if (BUILD === "full") followLink(link.view.state === "connected");
    },
    ready: () => {
      helm.linked();
      if (BUILD === "full") tracker.linked();
    },
    helm: (state) => helm.hear(state),
    tracking: (tracking) => {
      tracker.follow(tracking);
      desk.publish();
    },
  });
  const tracker: Tracker = new Tracker(chromeOutlook((event) => link.send(event)));
  const askWindow: AskWindow = new AskWindow(
    () => desk.panelIsInSight,
    () => (helm.state?.requests.length ?? 0) > 0,
  );
  const helm = new Helm(
    (event) => link.send(event),
    requests,
    askWindow,
    () => desk.publish(),
  );
  const desk = new StatusDesk({
    view: () => link.view,
    helm: () => helm,
    panelOutOfSight: () => helm.askAgain(),
    openPanel: () => askWindow.open(),
    closeAskWindow: () => askWindow.close(),
    tracker: () => (BUILD === "lite" ? undefined : tracker),
    debuggedTabs: () => (BUILD === "lite" ? undefined : debuggedTabCount()),
    connect: () => {
      forgiveCancelledTabs();
      return link.connect();
    },
    disconnect: () => {
      releaseAllTabs();
      return link.disconnect();
    },
    leaveHub: () => {
      releaseAllTabs();
      return link.leave();
    },
    setEnabled: (enabled) => {
      if (!enabled) releaseAllTabs();
      return link.setEnabled(enabled);
    },
  });
  desk.open();
  const lookAgain = forwardTabEvents((event) => link.send(event));
  chrome.commands.onCommand.addListener((name) => {
    noteGesture();
    if (name === STOP_SHORTCUT) helm.order({ command: "stopEverything" });
  });
  // Being called at all is what counts: the worker starts, and with it the link.
  chrome.runtime.onStartup.addListener(() => {});
  chrome.runtime.onInstalled.addListener(() => {});
  if (BUILD === "full") {
    watchDrawing();
    watchSessionWindows();
    watchTabGroups((tabId) => void lookAgain(tabId));
    watchNotifications(() => askWindow.open());
    watchFront(tracker);
    watchNavigations();
    watchReachability();
    watchFailures();
    watchDownloads();
    watchFileChoosers();
    watchForWarmUps();
    void registerEarlyScript();
    forgetPreparations();
    watchConsole();
    watchNetwork();
    watchPageRequests();
    watchUserDeeds();
    watchWorlds();
    watchDebugger(
      (payload) => link.send({ event: "debugger.detached", payload }),
      () => desk.publish(),
    );
    chrome.alarms.onAlarm.addListener(() => void link.wake());
    followLink(false);
  }
  void link.wake();
}

let wasLinked: boolean | undefined;
let letGo: ReturnType<typeof setTimeout> | undefined;

function followLink(isLinked: boolean): void {
  if (isLinked === wasLinked) return;
  wasLinked = isLinked;
  const periodInMinutes = isLinked ? LINKED_ALARM_MINUTES : ALARM_MINUTES;
  void chrome.alarms.create(ALARM, { periodInMinutes });
  clearTimeout(letGo);
  if (!isLinked) letGo = setTimeout(releaseAllTabs, UNLINKED_MS);
}
