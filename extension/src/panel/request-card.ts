// One request of an agent: for something only a person can do, or for a tab.
import type { UserCommand, UserRequest } from "../protocol/generated";
import { requestTitle } from "../request-words";
import { button, type Card, make, setText } from "./keyed-list";
import type { OpenTabs } from "./open-tabs";

/** A click that was meant for what stood here before, or for another tab, must not give consent. */
const INERT_MS = 500;

export function requestCard(
  request: UserRequest,
  tabs: OpenTabs,
  order: (command: UserCommand) => void,
): Card<UserRequest> {
  const { id, kind } = request;
  const isForTab = kind === "tab";
  const title = make("h3");
  const what = make("p", isForTab ? "tab-name" : "wish");
  const accept = button(isForTab ? "Allow" : "Done", () => {
    const given = isForTab ? tabs.current?.id : undefined;
    order({ command: "accept", request: id, ...(given !== undefined && { tabId: given }) });
  });
  const refuse = button("Refuse", () => order({ command: "refuse", request: id }));
  const element = make("li", "card request", title, what, make("div", "buttons", accept, refuse));
  let shown = request;
  let offered: number | undefined;
  let inert: ReturnType<typeof setTimeout> | undefined;
  const becomeInert = () => {
    clearTimeout(inert);
    inert = setTimeout(() => {
      inert = undefined;
      show(shown);
    }, INERT_MS);
  };
  const show = (now: UserRequest) => {
    shown = now;
    setText(title, requestTitle(now));
    const current = tabs.current;
    if (isForTab && current?.id !== offered) {
      offered = current?.id;
      becomeInert();
    }
    accept.disabled = inert !== undefined || (isForTab && !current?.isPage);
    if (!isForTab) setText(what, now.what);
    else setText(what, current?.isPage ? current.name : "Go to the page that you want to share.");
  };
  becomeInert();
  return { element, show };
}
