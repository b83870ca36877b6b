// What the extension's own pages (popup, panel, options) and the worker say to
// each other, over one port: orders one way, the whole status the other.
import type { LogLine } from "./background/link/log";
import type { HelmState, UserCommand } from "./protocol/generated";

export const STATUS_PORT = "status";

export type LinkState = "disconnected" | "connecting" | "connected";

export interface WorkerStatus {
  state: LinkState;
  /** Why there is no link and what to do; empty when all is well. */
  problem: string;
  enabled: boolean;
  hub: string;
  /** Linked through the program that the browser starts, without a token. */
  isThroughHost: boolean;
  /** The hub launched this browser and set the address. */
  isLaunched: boolean;
  /** Or the login that it was exchanged for. */
  hasPairingToken: boolean;
  /** How many tabs the debugger is attached to; undefined where there is none. */
  debuggedTabs: number | undefined;
  /** What agents may follow of what the user looks at; undefined where they never may. */
  tracking: TrackingStatus | undefined;
  log: readonly LogLine[];
  /** Agent sessions and their requests; undefined until the hub has spoken. */
  helm: HelmState | undefined;
  /** The user stopped everything. */
  isStopped: boolean;
}

export interface TrackingStatus {
  isOn: boolean;
  /** Somebody reads along at present. */
  isFollowed: boolean;
  /** The site that the user looks at; undefined where it is none that can be followed. */
  site: string | undefined;
  isSiteExcluded: boolean;
}

export type WorkerOrder =
  | { order: "user"; command: UserCommand }
  /** Where Chrome would open none for the page itself. */
  | { order: "openPanel" }
  | { order: "closeAskWindow" }
  /** Whether the user can see the page that says so; a panel that doesn't is not seen. */
  | { order: "inSight"; isInSight: boolean }
  | { order: "connect" }
  | { order: "disconnect" }
  /** Ends the login and forgets the pairing. */
  | { order: "leaveHub" }
  | { order: "setEnabled"; enabled: boolean }
  | { order: "setTracking"; isOn: boolean }
  | { order: "setSiteTracking"; site: string; isOn: boolean }
  /** An absent token leaves the stored one as it is. */
  | { order: "pair"; hub: string; pairingToken?: string };
