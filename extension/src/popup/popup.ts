// The popup: how the link stands, the buttons to change it, and the one that stops
// every agent.
import type { LogLine } from "../background/link/log";
import { whenPressed } from "../pressed";
import { byId, STATE_WORDS, showSentence } from "../status-words";
import { handleStop, showShortcut, showStop } from "../stop-button";
import type { TrackingStatus, WorkerStatus } from "../worker-channel";
import { WorkerPort } from "../worker-port";

export function startPopup(): void {
  const connect = byId("connect", HTMLButtonElement);
  const disconnect = byId("disconnect", HTMLButtonElement);
  const enabled = byId("enabled", HTMLInputElement);
  const worker = new WorkerPort((status) => {
    show(status);
    site = status.tracking?.site;
    recording = status.helm?.requests.find(({ kind }) => kind === "recording")?.id;
  });
  let site: string | undefined;
  let recording: number | undefined;
  whenPressed(byId("stop-recording", HTMLButtonElement), () => {
    if (recording === undefined) return;
    worker.send({ order: "user", command: { command: "accept", request: recording } });
  });
  const track = byId("track", HTMLInputElement);
  const trackSite = byId("track-site", HTMLInputElement);
  whenPressed(track, () => worker.send({ order: "setTracking", isOn: track.checked }));
  whenPressed(trackSite, () => {
    if (site) worker.send({ order: "setSiteTracking", site, isOn: trackSite.checked });
  });
  whenPressed(connect, () => worker.send({ order: "connect" }));
  whenPressed(disconnect, () => worker.send({ order: "disconnect" }));
  whenPressed(enabled, () => worker.send({ order: "setEnabled", enabled: enabled.checked }));
  handleStop((command) => worker.send({ order: "user", command }));
  byId("panel", HTMLAnchorElement).addEventListener("click", (event) => {
    event.preventDefault();
    void openPanel().then(() => close());
  });
  whenPressed(byId("answer", HTMLButtonElement), () => {
    const elsewhere = () => worker.send({ order: "openPanel" });
    void openPanel()
      .catch(elsewhere)
      .then(() => close());
  });
  void showShortcut();
  byId("options", HTMLAnchorElement).addEventListener("click", (event) => {
    event.preventDefault();
    void chrome.runtime.openOptionsPage();
  });
}

/** Chrome wants to see the gesture: nothing may be awaited before. */
async function openPanel(): Promise<void> {
  await chrome.sidePanel.open({ windowId: chrome.windows.WINDOW_ID_CURRENT });
}

function show(status: WorkerStatus): void {
  const state = byId("state", HTMLParagraphElement);
  state.dataset.state = status.state;
  state.textContent = STATE_WORDS[status.state];
  showSentence(byId("problem", HTMLParagraphElement), status.enabled ? status.problem : "");
  byId("enabled", HTMLInputElement).checked = status.enabled;
  byId("switch-word", HTMLSpanElement).textContent = status.enabled ? "On" : "Off";
  byId("connect", HTMLButtonElement).disabled = status.state !== "disconnected" || !status.enabled;
  byId("disconnect", HTMLButtonElement).disabled = status.state !== "connected";
  byId("hub", HTMLElement).textContent = hubWords(status);
  showDebugger(status.debuggedTabs);
  showStop(status);
  showAgents(status);
  showTracking(status.tracking);
  showLog(status.log);
}

function hubWords({ hub, isLaunched, isThroughHost }: WorkerStatus): string {
  if (isThroughHost) return "On this machine, linked by the browser without a token";
  return isLaunched ? `${hub} (launched by it)` : hub;
}

function showAgents({ helm, isStopped }: WorkerStatus): void {
  byId("agents-term", HTMLElement).hidden = helm === undefined;
  const words = byId("agents", HTMLElement);
  words.hidden = helm === undefined;
  const working = helm?.sessions.length ?? 0;
  words.textContent =
    working === 0 ? "None at work" : `${working} ${isStopped ? "stopped" : "at work"}`;
  const recording = helm?.requests.find(({ kind }) => kind === "recording");
  byId("recording", HTMLElement).hidden = recording === undefined;
  byId("recording-words", HTMLElement).textContent = recording
    ? `Recording what you do in a tab, for ${recording.client}.`
    : "";
  const waiting = helm?.requests.filter(({ kind }) => kind !== "recording").length ?? 0;
  byId("waiting", HTMLElement).hidden = waiting === 0;
  byId("waiting-words", HTMLElement).textContent =
    waiting === 1 ? "1 question waits." : `${waiting} questions wait.`;
}

function showTracking(tracking: TrackingStatus | undefined): void {
  byId("tracking", HTMLElement).hidden = tracking === undefined;
  if (!tracking) return;
  const { isOn, site, isSiteExcluded } = tracking;
  byId("track", HTMLInputElement).checked = isOn;
  byId("track-site-line", HTMLElement).hidden = !isOn || site === undefined;
  byId("track-site", HTMLInputElement).checked = !isSiteExcluded;
  byId("site", HTMLElement).textContent = site ?? "";
  byId("tracking-words", HTMLElement).textContent = trackingWords(tracking);
}

function trackingWords({ isOn, isFollowed, site, isSiteExcluded }: TrackingStatus): string {
  if (!isOn) return "No agent follows what you look at.";
  if (site === undefined) return "What you look at now is never followed.";
  if (isSiteExcluded) return "No agent follows this site.";
  return isFollowed
    ? "An agent reads along on this page."
    : "Agents may know its address and title; none reads the page.";
}

function showDebugger(tabs: number | undefined): void {
  byId("debugger-term", HTMLElement).hidden = tabs === undefined;
  const words = byId("debugger", HTMLElement);
  words.hidden = tabs === undefined;
  words.textContent = tabs ? `Attached to ${tabs} ${tabs === 1 ? "tab" : "tabs"}` : "Not attached";
}

/** The latest first: that is the one a person looks for. */
function showLog(lines: readonly LogLine[]): void {
  const items = lines.toReversed().map(({ at, what }) => {
    const item = document.createElement("li");
    const time = document.createElement("time");
    const when = new Date(at);
    time.dateTime = when.toISOString();
    time.textContent = when.toLocaleTimeString();
    const words = document.createElement("span");
    words.textContent = what;
    item.append(time, words);
    return item;
  });
  byId("log", HTMLOListElement).replaceChildren(...(items.length > 0 ? items : ["Nothing yet."]));
}
