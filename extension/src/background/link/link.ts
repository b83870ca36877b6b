// The link: decides when there is a connection to the hub. Never two at once;
// back by itself unless the user or the hub said otherwise.

import { BUILD } from "../../build";
import {
  type BrowserEvent,
  CloseCode,
  type Handshake,
  type HelmState,
  REUSED_REASON,
  type Tracking,
} from "../../protocol/generated";
import type { LinkState } from "../../worker-channel";
import { isOnThisMachine, linkUrl } from "./address";
import { Connection, type ConnectionEnd } from "./connection";
import type { HubFrame } from "./frames";
import { type Credential, makeHandshake } from "./handshake";
import { readLaunch } from "./launch";
import { logLine } from "./log";
import { LOGIN_PROBLEMS, Login } from "./login";
import { overNativeHost } from "./native";
import type { Requests } from "./requests";
import { delayBeforeRetry, endingOf } from "./retry";
import { readDisconnected, readSettings, writeDisconnected, writeSettings } from "./settings";
import { overSocket } from "./socket";
import { NO_HOST } from "./transport";

interface Target {
  /** For people. */
  address: string;
  credential: Credential;
  /** There is no credential here: the host has one. This is the problem where there is no host. */
  withoutHost?: string;
}

export interface LinkView {
  state: LinkState;
  problem: string;
  /** Linked through the program that the browser starts, without a token. */
  isThroughHost: boolean;
}

export interface LinkListener {
  /** The view is another one. */
  changed(): void;
  /** The hub took us in. */
  ready(): void;
  /** How the agent sessions stand. */
  helm(state: HelmState): void;
  /** How much somebody wants to know of what the user looks at. */
  tracking(tracking: Tracking): void;
}

const UNPAIRED =
  "This browser is not paired yet. Run `outrigger setup`, or run `outrigger pair` and paste the token in Options.";

/** Stands for an address where the host has it. */
const THIS_MACHINE = "the hub of this machine";

const NOT_LISTENING =
  "The hub was shown too many wrong tokens and listens to none for a minute. Trying again then.";

export class Link {
  readonly #requests: Requests;
  readonly #listener: LinkListener;
  readonly #login = new Login();
  #connection: Connection | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Counts decisions, so that one which was overtaken while it waited gives up. */
  #decision = 0;
  /** The user saw that the login had ended, and pressed Connect all the same. */
  #isAskedFor = false;
  #view: LinkView = { state: "disconnected", problem: "", isThroughHost: false };

  constructor(requests: Requests, listener: LinkListener) {
    this.#requests = requests;
    this.#listener = listener;
  }

  get view(): LinkView {
    return this.#view;
  }

  /** The worker started, or an alarm went off. */
  async wake(): Promise<void> {
    if (!this.#connection && !this.#retry) await this.#open();
  }

  /** The user wants it, now. */
  async connect(): Promise<void> {
    const { loginEnded } = await readSettings();
    await Promise.all([writeDisconnected(false), writeSettings({ enabled: true, revoked: false })]);
    this.#failures = 0;
    this.#isAskedFor = loginEnded !== "";
    this.#drop("connecting anew");
    await this.#open();
  }

  /** The user wants it no more. */
  async disconnect(): Promise<void> {
    await writeDisconnected(true);
    this.#drop("disconnected by the user");
    this.#show("disconnected", "");
  }

  /** The user wants no pairing any more. */
  async leave(): Promise<void> {
    const { hub } = await readSettings();
    // First, or the hub would end the link, and say that it did.
    this.#drop("disconnected for good by the user");
    const decision = this.#decision;
    this.#show("disconnected", "");
    await this.#login.leave(hub);
    if (decision === this.#decision) await this.#open();
  }

  async setEnabled(enabled: boolean): Promise<void> {
    if (enabled) return this.connect();
    await writeSettings({ enabled: false });
    this.#drop("switched off by the user");
    this.#show("disconnected", "");
  }

  send(event: BrowserEvent): void {
    this.#connection?.sendEvent(event);
  }

  async #open(): Promise<void> {
    const decision = ++this.#decision;
    this.#forgetRetry();
    const target = await this.#target();
    if (decision !== this.#decision || !target) return;
    if ("afterMs" in target) {
      this.#show("disconnected", NOT_LISTENING);
      this.#retry = setTimeout(() => void this.#open(), target.afterMs);
      return;
    }
    const { address, credential, withoutHost } = target;
    const isThroughHost = withoutHost !== undefined;
    // Between retries the popup keeps showing why there is no link, instead of
    // flickering with each attempt.
    if (this.#failures === 0) this.#show("connecting", "");
    const transport = isThroughHost ? overNativeHost : overSocket(linkUrl(address));
    this.#connection = new Connection(transport, () => this.#handshake(credential), {
      ready: (ack) => {
        this.#failures = 0;
        // Whoever asked before has given up, or is another hub.
        if (!ack.resumed) this.#requests.cancelAll();
        logLine(`connected to ${address} (hub ${ack.bridgeVersion}, ${ack.linkId})`);
        if (isThroughHost) void writeSettings({ loginEnded: "" });
        this.#isAskedFor = false;
        this.#show("connected", "", isThroughHost);
        this.#listener.ready();
      },
      frame: (frame) => this.#receive(frame),
      ended: (end) => this.#ended(end, target),
    });
  }

  #handshake(credential: Credential): Promise<Handshake> {
    return makeHandshake(credential, this.#requests.memoryName);
  }

  /** Where to, and with what; undefined when there should be no link. */
  async #target(): Promise<Target | { afterMs: number } | undefined> {
    const [launch, settings, disconnected] = await Promise.all([
      readLaunch(),
      readSettings(),
      readDisconnected(),
    ]);
    if (disconnected || !settings.enabled) return undefined;
    if (settings.revoked) {
      this.#show("disconnected", "The hub ended this link. Press Connect if you want it back.");
      return undefined;
    }
    if (launch) return { address: launch.hub, credential: { pairingToken: launch.launchToken } };
    const { hub: address, pairingToken, loginEnded } = settings;
    const access = await this.#login.access(address);
    if (access.kind === "token") {
      return { address, credential: { accessToken: access.accessToken } };
    }
    if (access.kind === "later") return access;
    const why = access.kind === "ended" ? access.why : loginEnded;
    if (why === "" && pairingToken !== "") return { address, credential: { pairingToken } };
    const problem = why === "" ? UNPAIRED : LOGIN_PROBLEMS[why];
    // A login that was ended is not begun anew behind the user's back.
    const mayUseHost = BUILD === "full" && (why === "" || this.#isAskedFor);
    if (mayUseHost && isOnThisMachine(address)) {
      return { address: THIS_MACHINE, credential: {}, withoutHost: problem };
    }
    this.#show("disconnected", problem);
    return undefined;
  }

  #receive(frame: HubFrame): void {
    switch (frame.kind) {
      case "request":
        // The connection may be another one by the time there is an answer.
        void this.#requests.run(frame.request, (text) => this.#connection?.sendReply(text));
        break;
      case "cancel":
        this.#requests.cancel(frame.id);
        break;
      case "helm":
        this.#listener.helm(frame.state);
        break;
      case "tracking":
        this.#listener.tracking(frame.tracking);
        break;
      case "complaint":
        logLine(`the hub could not read a frame (${frame.code})`);
        break;
      case "malformed":
        logLine(`a frame from the hub made no sense (${frame.why})`);
        break;
    }
  }

  #ended(end: ConnectionEnd, { address, credential, withoutHost }: Target): void {
    this.#connection = undefined;
    if (end.code === NO_HOST && withoutHost !== undefined) {
      // Most browsers have none, and that is fine. The next alarm looks again.
      this.#failures += 1;
      this.#isAskedFor = false;
      this.#show("disconnected", withoutHost);
      return;
    }
    const wasConnected = this.#view.state === "connected";
    const hasLogin = "accessToken" in credential;
    if (hasLogin && end.code === CloseCode.Revoked) {
      this.#loginEnded(end);
      return;
    }
    const isRefused = hasLogin && end.code === CloseCode.InvalidPairingToken;
    // Expired, most likely: there is another one after a refresh, which is tried once at once.
    if (isRefused) void this.#login.forgetAccess();
    // The host shows whatever token there is: a new one was made to have nobody linked.
    const isShutOut = withoutHost !== undefined && end.code === CloseCode.InvalidPairingToken;
    const code = isShutOut ? CloseCode.Revoked : end.code;
    const { retry, problem } =
      isRefused && this.#failures === 0
        ? ({ retry: "soon", problem: "" } as const)
        : endingOf(code, end.opened, address, end.why);
    if (wasConnected || this.#failures === 0) {
      logLine(`no link to ${address} (${end.code}${end.why ? ` ${end.why}` : ""})`);
    }
    this.#failures += 1;
    if (retry === "never") void writeSettings({ revoked: true });
    if (retry === "soon") {
      const delay = delayBeforeRetry(this.#failures, Math.random());
      this.#retry = setTimeout(() => void this.#open(), delay);
    }
    this.#show("disconnected", problem);
  }

  #loginEnded(end: ConnectionEnd): void {
    const why = end.why === REUSED_REASON ? "reused" : "ended";
    logLine(`the hub ended the login (${why})`);
    void this.#login.end(why);
    this.#show("disconnected", LOGIN_PROBLEMS[why]);
  }

  #drop(why: string): void {
    this.#decision += 1;
    this.#forgetRetry();
    const connection = this.#connection;
    if (!connection) return;
    this.#connection = undefined;
    logLine(why);
    this.#requests.cancelAll();
    connection.abandon();
  }

  #forgetRetry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #show(state: LinkState, problem: string, isThroughHost = false): void {
    this.#view = { state, problem, isThroughHost };
    this.#listener.changed();
  }
}
