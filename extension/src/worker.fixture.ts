// For tests of the extension's own pages: their markup in the document, and a
// worker that can be heard and that says what a test wants.
import { vi } from "vitest";
import {
  type AgentSession,
  HELM_VERSION,
  type HelmState,
  type PermissionQuestion,
  type UserRequest,
} from "./protocol/generated";
import type { WorkerOrder, WorkerStatus } from "./worker-channel";

export interface FakeWorker {
  orders: WorkerOrder[];
  /** What pages said of whether they can be seen. */
  sights: boolean[];
  /** How many ports were opened so far. */
  connections(): number;
  say(changes?: Partial<WorkerStatus>): void;
  /** Chrome ends the port with the worker. */
  stop(): void;
  openOptionsPage: ReturnType<typeof vi.fn>;
  openSidePanel: ReturnType<typeof vi.fn>;
}

const STATUS: WorkerStatus = {
  state: "disconnected",
  problem: "",
  enabled: true,
  hub: "127.0.0.1:9009",
  isThroughHost: false,
  isLaunched: false,
  hasPairingToken: false,
  debuggedTabs: 0,
  tracking: { isOn: false, isFollowed: false, site: "example.com", isSiteExcluded: false },
  log: [],
  helm: undefined,
  isStopped: false,
};

const SESSION: AgentSession = {
  session: "a",
  client: "claude-code",
  colour: "cyan",
  standing: "working",
  barCancelled: false,
  tabs: [],
  tabsElsewhere: 0,
};

const REQUEST: UserRequest = {
  id: 1,
  session: "a",
  client: "claude-code",
  kind: "human",
  what: "Please log in.",
};

/** A permission that is asked for, with these differences from one to click. */
export function permission(
  changes: Partial<PermissionQuestion> = {},
  request: Partial<UserRequest> = {},
): Partial<UserRequest> {
  const question: PermissionQuestion = {
    keys: ["tab_action:click"],
    places: [{ domain: "example.co.uk", origin: "https://shop.example.co.uk:8443" }],
    with: [],
    eachTime: false,
    warnings: [],
    untilMs: Date.now() + 60_000,
    ...changes,
  };
  return { kind: "permission", what: "Click “Add to basket”", question, ...request };
}

/** How things stand, with these differences from a session at work. */
export function helm(
  sessions: Partial<AgentSession>[],
  requests: Partial<UserRequest>[] = [],
): HelmState {
  return {
    version: HELM_VERSION,
    everythingStopped: false,
    sessions: sessions.map((changes) => ({ ...SESSION, ...changes })),
    requests: requests.map((changes) => ({ ...REQUEST, ...changes })),
  };
}

export function showPage(markup: string): void {
  const page = new DOMParser().parseFromString(markup, "text/html");
  // The page's own script and pictures are not what is tried here.
  for (const element of page.querySelectorAll("script,link,img")) element.remove();
  document.body.replaceChildren(...page.body.childNodes);
}

const TABS = [
  { id: 1, title: "Mail", url: "https://mail.test/", active: true },
  { id: 2, title: "Shop", url: "https://shop.test/", active: false },
];

function fakeTabs() {
  const never = { addListener: () => {} };
  const query = async ({ active }: { active?: boolean }) =>
    active ? TABS.filter((tab) => tab.active) : TABS;
  return {
    query,
    onActivated: never,
    onCreated: never,
    onRemoved: never,
    onUpdated: never,
    onReplaced: never,
  };
}

export function fakeWorker(): FakeWorker {
  const orders: WorkerOrder[] = [];
  const sights: boolean[] = [];
  const openOptionsPage = vi.fn(async () => {});
  let connections = 0;
  let tell: (status: WorkerStatus) => void = () => {};
  let end: () => void = () => {};
  const connect = () => {
    connections += 1;
    return {
      postMessage: (order: WorkerOrder) => {
        if (order.order === "inSight") sights.push(order.isInSight);
        else orders.push(order);
      },
      onMessage: {
        addListener: (listener: typeof tell) => {
          tell = listener;
        },
      },
      onDisconnect: {
        addListener: (listener: typeof end) => {
          end = listener;
        },
      },
    };
  };
  const shortcut = { name: "stop-everything", shortcut: "Alt+Shift+S" };
  const commands = { getAll: async () => [shortcut] };
  const openSidePanel = vi.fn(async () => {});
  vi.stubGlobal("chrome", {
    runtime: { connect, openOptionsPage },
    commands,
    sidePanel: { open: openSidePanel },
    tabs: fakeTabs(),
    windows: {
      WINDOW_ID_CURRENT: -2,
      getLastFocused: async () => ({ tabs: TABS.map((tab) => ({ ...tab, active: !tab.active })) }),
      onFocusChanged: { addListener: () => {} },
    },
  });
  return {
    orders,
    sights,
    connections: () => connections,
    say: (changes = {}) => tell({ ...STATUS, ...changes }),
    stop: () => end(),
    openOptionsPage,
    openSidePanel,
  };
}
