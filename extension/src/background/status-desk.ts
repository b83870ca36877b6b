// Serves the popup, the panel and the options page: tells them how things stand,
// takes their orders. Nobody else is listened to.
import {
  STATUS_PORT,
  type TrackingStatus,
  type WorkerOrder,
  type WorkerStatus,
} from "../worker-channel";
import { noteGesture } from "./gestures";
import type { Helm } from "./helm";
import { parseHubAddress } from "./link/address";
import { readLaunch } from "./link/launch";
import type { LinkView } from "./link/link";
import { logLines } from "./link/log";
import { forgetLogin } from "./link/login";
import { readSettings, writeSettings } from "./link/settings";
import { isOwnPage, isPanel, isPopup } from "./own-pages";
import {
  excludeSites,
  mayFollow,
  readTracking,
  siteOf,
  switchTracking,
  withSite,
} from "./tracker/tracked-sites";
import type { Tracker } from "./tracker/tracker";
import { tabInUse } from "./watched-tab";

export interface Worker {
  view(): LinkView;
  helm(): Pick<Helm, "state" | "isStopped" | "order">;
  /** Undefined where nothing can be followed. */
  tracker(): Pick<Tracker, "isFollowed" | "chosen"> | undefined;
  debuggedTabs(): number | undefined;
  /** No panel is in sight any more. */
  panelOutOfSight(): void;
  openPanel(): Promise<void>;
  closeAskWindow(): Promise<void>;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  leaveHub(): Promise<void>;
  setEnabled(enabled: boolean): Promise<void>;
}

/** A panel that is loaded anew, or whose worker is another one, is back by then. */
const RETURN_MS = 500;

export class StatusDesk {
  readonly #worker: Worker;
  readonly #ports = new Set<chrome.runtime.Port>();
  /** Those of panels that the user can see. */
  readonly #inSight = new Set<chrome.runtime.Port>();

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  open(): void {
    chrome.runtime.onConnect.addListener((port) => {
      if (port.name !== STATUS_PORT || !isOwnPage(port.sender)) {
        port.disconnect();
        return;
      }
      // The toolbar button opens it, and nothing else.
      if (isPopup(port.sender)) noteGesture();
      this.#ports.add(port);
      port.onDisconnect.addListener(() => {
        this.#ports.delete(port);
        this.#hearSight(port, false);
      });
      port.onMessage.addListener((order: WorkerOrder) => {
        if (order.order === "inSight") this.#hearSight(port, order.isInSight);
        else void this.#carryOut(order);
      });
      this.publish();
    });
  }

  /** Whether the user sees a panel, in which requests can be answered. */
  get panelIsInSight(): boolean {
    return this.#inSight.size > 0;
  }

  #hearSight(port: chrome.runtime.Port, isInSight: boolean): void {
    if (isInSight && isPanel(port.sender)) this.#inSight.add(port);
    else if (this.#inSight.delete(port) && !this.panelIsInSight) {
      setTimeout(() => {
        if (!this.panelIsInSight) this.#worker.panelOutOfSight();
      }, RETURN_MS);
    }
  }

  /** Tells every open page how things stand. */
  async publish(): Promise<void> {
    if (this.#ports.size === 0) return;
    const status = await this.#status();
    for (const port of this.#ports) port.postMessage(status);
  }

  async #status(): Promise<WorkerStatus> {
    const [settings, launch, tracking] = await Promise.all([
      readSettings(),
      readLaunch(),
      this.#tracking(),
    ]);
    return {
      // After the awaits: they may have overtaken a change.
      ...this.#worker.view(),
      helm: this.#worker.helm().state,
      isStopped: this.#worker.helm().isStopped,
      enabled: settings.enabled,
      hub: launch?.hub ?? settings.hub,
      isLaunched: launch !== undefined,
      hasPairingToken: settings.pairingToken !== "" || settings.refreshToken !== "",
      debuggedTabs: this.#worker.debuggedTabs(),
      tracking,
      log: logLines(),
    };
  }

  async #tracking(): Promise<TrackingStatus | undefined> {
    const tracker = this.#worker.tracker();
    if (!tracker) return undefined;
    const choice = await readTracking();
    const tab = await tabInUse();
    const site = tab && !tab.incognito ? siteOf(tab.url ?? "") : undefined;
    const isSiteExcluded = tab !== undefined && !mayFollow(tab, { ...choice, isOn: true });
    return { isOn: choice.isOn, isFollowed: tracker.isFollowed, site, isSiteExcluded };
  }

  async #carryOut(message: Exclude<WorkerOrder, { order: "inSight" }>): Promise<void> {
    if (isGesture(message)) noteGesture();
    switch (message.order) {
      case "user":
        this.#worker.helm().order(message.command);
        break;
      case "openPanel":
        await this.#worker.openPanel();
        break;
      case "closeAskWindow":
        await this.#worker.closeAskWindow();
        break;
      case "connect":
        await this.#worker.connect();
        break;
      case "disconnect":
        await this.#worker.disconnect();
        break;
      case "leaveHub":
        await this.#worker.leaveHub();
        break;
      case "setEnabled":
        await this.#worker.setEnabled(message.enabled);
        break;
      case "setTracking": {
        await switchTracking(message.isOn);
        this.#worker.tracker()?.chosen();
        break;
      }
      case "setSiteTracking": {
        const { excluded } = await readTracking();
        await excludeSites(withSite(excluded, message.site, message.isOn));
        this.#worker.tracker()?.chosen();
        break;
      }
      case "pair": {
        const hub = parseHubAddress(message.hub);
        if (hub === undefined) return;
        const { pairingToken } = message;
        const { hub: before } = await readSettings();
        // What one hub gave is shown to no other.
        if (pairingToken !== undefined || hub !== before) {
          await forgetLogin();
          await writeSettings({ pairingToken: pairingToken ?? "", loginEnded: "" });
        }
        await writeSettings({ hub });
        await this.#worker.connect();
      }
    }
    await this.publish();
  }
}

/** A press with which the user lets something be done; a no is none. */
function isGesture(message: WorkerOrder): boolean {
  if (message.order !== "user") return message.order === "openPanel" || message.order === "connect";
  const { command } = message;
  if (command.command === "decide") return command.allow;
  return ["accept", "share", "resume", "goOn"].includes(command.command);
}
