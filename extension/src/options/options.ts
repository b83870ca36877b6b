// The options page: where the hub is and the token that pairs with it, and what the
// user decided for good. A stored token is never shown again; an empty field leaves
// it as it is.
import { parseHubAddress } from "../background/link/address";
import { whenPressed } from "../pressed";
import { byId, STATE_WORDS, showSentence } from "../status-words";
import type { WorkerStatus } from "../worker-channel";
import { WorkerPort } from "../worker-port";
import { Leaving } from "./leaving";
import { RulesSection } from "./rules";

export function startOptions(): void {
  const hub = byId("hub", HTMLInputElement);
  let isFilled = false;
  const worker = new WorkerPort((status) => {
    show(status);
    leaving.show(status);
    rules.show(status.helm);
    // Once, or a change of the link would overwrite what is being typed.
    if (!isFilled) hub.value = status.hub;
    isFilled = true;
  });
  const leaving = new Leaving(() => worker.send({ order: "leaveHub" }));
  const rules = new RulesSection((command) => worker.send({ order: "user", command }));
  const token = byId("token", HTMLInputElement);
  const reveal = byId("reveal", HTMLButtonElement);
  reveal.addEventListener("click", () => {
    const isShown = token.type === "password";
    token.type = isShown ? "text" : "password";
    reveal.textContent = isShown ? "Hide" : "Show";
    reveal.setAttribute("aria-pressed", String(isShown));
  });
  hub.addEventListener("input", () => complain(""));
  // A script that submits the form presses nothing; Enter in a field presses the button.
  byId("form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  whenPressed(byId("save", HTMLButtonElement), () => {
    const address = parseHubAddress(hub.value);
    if (address === undefined) {
      complain("That is no address. It looks like 127.0.0.1:9009.");
      hub.focus();
      return;
    }
    hub.value = address;
    const pairingToken = token.value.trim();
    worker.send({ order: "pair", hub: address, ...(pairingToken !== "" && { pairingToken }) });
    token.value = "";
  });
}

function complain(sentence: string): void {
  byId("hub-error", HTMLParagraphElement).textContent = sentence;
  byId("hub", HTMLInputElement).setAttribute("aria-invalid", String(sentence !== ""));
}

function show(status: WorkerStatus): void {
  const state = byId("state", HTMLParagraphElement);
  state.dataset.state = status.state;
  state.textContent = STATE_WORDS[status.state];
  showSentence(byId("problem", HTMLParagraphElement), status.problem);
  byId("launched", HTMLParagraphElement).hidden = !status.isLaunched;
  byId("through-host", HTMLParagraphElement).hidden = !status.isThroughHost;
  byId("token", HTMLInputElement).placeholder = status.hasPairingToken
    ? "Stored. Paste another one to replace it."
    : "";
}
