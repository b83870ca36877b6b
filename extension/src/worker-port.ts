// The pages' end of the channel to the worker. Chrome ends the port with the
// worker; opening another one wakes it up.
import { STATUS_PORT, type WorkerOrder, type WorkerStatus } from "./worker-channel";

export class WorkerPort {
  readonly #show: (status: WorkerStatus) => void;
  #port: chrome.runtime.Port;

  constructor(show: (status: WorkerStatus) => void) {
    this.#show = show;
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
    return port;
  }
}
