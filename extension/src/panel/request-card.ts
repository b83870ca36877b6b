// One request of an agent: for something only a person can do, or for a tab.
import type { RequestKind, UserCommand, UserRequest } from "../protocol/generated";
import { requestTitle } from "../request-words";
import { InertMoment } from "./inert-moment";
import { button, type Card, make, setText } from "./keyed-list";
import type { OpenTabs } from "./open-tabs";

const ANSWERS: Partial<Record<RequestKind, [yes: string, no: string]>> = {
  tab: ["Allow", "Refuse"],
  record: ["Begin", "Refuse"],
  recording: ["Done", "Throw away"],
};

export function requestCard(
  request: UserRequest,
  tabs: OpenTabs,
  order: (command: UserCommand) => void,
): Card<UserRequest> {
  const { id, kind } = request;
  const isForTab = kind === "tab";
  const title = make("h3");
  const what = make("p", isForTab ? "tab-name" : "wish");
  const [yes, no] = ANSWERS[kind] ?? ["Done", "Refuse"];
  // It goes when the hub has heard of it: until then there is nothing more to press.
  let isAnswered = false;
  const answering = (words: string, command: () => UserCommand) =>
    button(words, () => {
      isAnswered = true;
      order(command());
      enable();
    });
  const accept = answering(yes, () => {
    const given = isForTab ? tabs.current?.id : undefined;
    return { command: "accept", request: id, ...(given !== undefined && { tabId: given }) };
  });
  const refuse = answering(no, () => ({ command: "refuse", request: id }));
  const element = make("li", "card request", title, what, make("div", "buttons", accept, refuse));
  const inert = new InertMoment(accept, () => enable());
  let offered: number | string | undefined;
  const enable = () => {
    accept.disabled = isAnswered || !inert.isOver || (isForTab && !tabs.current?.isPage);
    refuse.disabled = isAnswered;
  };
  return {
    element,
    show(now) {
      setText(title, requestTitle(now));
      const current = tabs.current;
      if (!isForTab) setText(what, now.what);
      else setText(what, current?.isPage ? current.name : "Go to the page that you want to share.");
      const offer = isForTab ? current?.id : now.what;
      if (offer !== offered) inert.begin();
      offered = offer;
      inert.look();
      enable();
    },
    gone: () => inert.end(),
  };
}
