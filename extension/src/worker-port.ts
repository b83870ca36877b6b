// The pages' end of the channel to the worker. Chrome ends the port with the
// worker; opening another one wakes it up.
import { STATUS_PORT, type WorkerOrder, type WorkerStatus } from "./worker-channel";

export class WorkerPort {
  readonly #show: (status: WorkerStatus) => void;
  readonly #greeting: (() => WorkerOrder) | undefined;
  #port: chrome.runtime.Port;

  /** Every worker is told the greeting first. */
  constructor(show: (status: WorkerStatus) => void, greeting?: () => WorkerOrder) {
    this.#show = show;
    this.#greeting = greeting;
    this.#port = this.#open();
  }

  send(order: WorkerOrder): void {
    this.#port.postMessage(order);
  }

  #open(): chrome.runtime.Port {
    const port = chrome.runtime.connect({ name: STATUS_PORT });
    port.onMessage.addListener((status: WorkerStatus) => this.#show(status));
    port.onDisconnect.addListener(() => {
      this.#port = this.#open();
    });
    if (this.#greeting) port.postMessage(this.#greeting());
    return port;
  }
}
