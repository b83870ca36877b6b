// The side panel: what agents do in this browser and what they ask for, with the
// user's hand on all of it. It decides nothing: it shows, and passes orders on.
import type { AgentSession, HelmState, UserCommand, UserRequest } from "../protocol/generated";
import { requestTitle } from "../request-words";
import { byId, STATE_WORDS, showSentence } from "../status-words";
import { handleStop, showShortcut, showStop } from "../stop-button";
import type { WorkerOrder, WorkerStatus } from "../worker-channel";
import { WorkerPort } from "../worker-port";
import { Closing } from "./closing";
import { moveIntoSight } from "./into-sight";
import { KeyedList, setText } from "./keyed-list";
import { OpenTabs } from "./open-tabs";
import { asksPermission, permissionCard } from "./permission-card";
import { requestCard } from "./request-card";
import { type ShownSession, sessionCard } from "./session-card";
import { ThisTab } from "./this-tab";

/** In the window that was opened for asking, the page's address says so. */
export function startPanel(search = location.search): void {
  const isForAsking = search === "?window";
  const closing = isForAsking
    ? new Closing(() => worker.send({ order: "closeAskWindow" }))
    : undefined;
  if (isForAsking) moveIntoSight();
  let helm: HelmState | undefined;
  const worker: WorkerPort = new WorkerPort((status) => {
    helm = status.helm;
    showLink(status);
    showStop(status);
    showAgents();
    closing?.show(helm);
  }, sight);
  document.addEventListener("visibilitychange", () => worker.send(sight()));
  const order = (command: UserCommand) => worker.send({ order: "user", command });
  const tabs = new OpenTabs(isForAsking);
  const requests = new KeyedList<UserRequest>(byId("requests", HTMLUListElement), (request) =>
    asksPermission(request) ? permissionCard(request, order) : requestCard(request, tabs, order),
  );
  const sessions = new KeyedList<ShownSession>(byId("sessions", HTMLUListElement), (session) =>
    sessionCard(session, tabs, order),
  );
  const announce = announcer();
  const thisTab = new ThisTab(tabs, order);
  handleStop(order);
  void showShortcut();

  function showAgents(): void {
    const all = distinct(helm?.sessions ?? []);
    // The oldest first: what comes next stands below.
    const asked = (helm?.requests ?? []).toSorted((one, other) => one.id - other.id);
    const everythingStopped = helm?.everythingStopped ?? false;
    byId("requests-section", HTMLElement).hidden = asked.length === 0;
    const count = asked.length > 1 ? ` (${asked.length})` : "";
    setText(byId("requests-title", HTMLElement), `Waiting for you${count}`);
    const named = asked.map((each) => {
      const session = all.find(({ session }) => session === each.session);
      return { ...each, client: session?.client ?? each.client };
    });
    requests.show(new Map(named.map((each) => [keyOf(each), each])));
    announce(named);
    byId("nobody", HTMLElement).hidden = all.length > 0;
    sessions.show(new Map(all.map((each) => [each.session, { ...each, everythingStopped }])));
    thisTab.show(all);
  }
  tabs.watch(showAgents);
}

/** A panel may be in a tab behind others, or in a minimised window. */
function sight(): WorkerOrder {
  return { order: "inSight", isInSight: document.visibilityState === "visible" };
}

function keyOf(request: UserRequest): string {
  return `${asksPermission(request) ? "permission" : request.kind}-${request.id}`;
}

/** Two agents of one name are told apart by their sessions. */
function distinct(sessions: readonly AgentSession[]): AgentSession[] {
  const names = sessions.map(({ client }) => client);
  return sessions.map((each) => {
    const isAlone = names.indexOf(each.client) === names.lastIndexOf(each.client);
    return isAlone ? each : { ...each, client: `${each.client} (${each.session})` };
  });
}

/** Has screen readers say the title of each new request, and nothing else of it. */
function announcer(): (requests: readonly UserRequest[]) => void {
  let known = new Set<string>();
  return (requests) => {
    const titles = requests.filter((each) => !known.has(keyOf(each))).map(requestTitle);
    known = new Set(requests.map(keyOf));
    if (titles.length > 0) byId("announcement", HTMLElement).textContent = titles.join(". ");
  };
}

function showLink(status: WorkerStatus): void {
  const state = byId("state", HTMLParagraphElement);
  state.dataset.state = status.state;
  setText(state, STATE_WORDS[status.state]);
  showSentence(byId("problem", HTMLParagraphElement), status.enabled ? status.problem : "");
}
