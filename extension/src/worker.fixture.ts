// For tests of the extension's own pages: their markup in the document, and a
// worker that can be heard and that says what a test wants.
import { vi } from "vitest";
import type { WorkerOrder, WorkerStatus } from "./worker-channel";

export interface FakeWorker {
  orders: WorkerOrder[];
  /** How many ports were opened so far. */
  connections(): number;
  say(changes?: Partial<WorkerStatus>): void;
  /** Chrome ends the port with the worker. */
  stop(): void;
  openOptionsPage: ReturnType<typeof vi.fn>;
}

const STATUS: WorkerStatus = {
  state: "disconnected",
  problem: "",
  enabled: true,
  hub: "127.0.0.1:9009",
  isLaunched: false,
  hasPairingToken: false,
  debuggedTabs: 0,
  log: [],
};

export function showPage(markup: string): void {
  const page = new DOMParser().parseFromString(markup, "text/html");
  // The page's own script and pictures are not what is tried here.
  for (const element of page.querySelectorAll("script,link,img")) element.remove();
  document.body.replaceChildren(...page.body.childNodes);
}

export function fakeWorker(): FakeWorker {
  const orders: WorkerOrder[] = [];
  const openOptionsPage = vi.fn(async () => {});
  let connections = 0;
  let tell: (status: WorkerStatus) => void = () => {};
  let end: () => void = () => {};
  const connect = () => {
    connections += 1;
    return {
      postMessage: (order: WorkerOrder) => orders.push(order),
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
  vi.stubGlobal("chrome", { runtime: { connect, openOptionsPage } });
  return {
    orders,
    connections: () => connections,
    say: (changes = {}) => tell({ ...STATUS, ...changes }),
    stop: () => end(),
    openOptionsPage,
  };
}
