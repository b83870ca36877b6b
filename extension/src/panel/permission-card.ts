// A permission that is asked for: who asks, for what, where and with what, and the
// user's answers. Whatever is shown here is plain text.
import type {
  AnswerTerm,
  Detail,
  PermissionQuestion,
  Place,
  UserCommand,
  UserRequest,
} from "../protocol/generated";
import { requestTitle } from "../request-words";
import { InertMoment } from "./inert-moment";
import { button, type Card, make, setText } from "./keyed-list";
import { visibleText } from "./visible-text";

export interface PermissionRequest extends UserRequest {
  question: PermissionQuestion;
}

export function asksPermission(request: UserRequest): request is PermissionRequest {
  return request.question !== undefined;
}

export function permissionCard(
  { id, question }: PermissionRequest,
  order: (command: UserCommand) => void,
): Card<PermissionRequest> {
  let answer = "";
  let shown = "";
  let { untilMs } = question;
  let tick: ReturnType<typeof setTimeout> | undefined;
  const answering = (words: string, allow: boolean, term: AnswerTerm) =>
    button(words, () => {
      answer = words;
      order({ command: "decide", request: id, allow, term });
      refresh();
    });
  const { beyond } = question;
  const allowing = [
    answering(beyond === "rules" ? "Confirm" : "Allow once", true, "once"),
    answering("Allow for this session", true, "session"),
    answering("Always allow", true, "always"),
  ];
  const denying = [answering("Deny", false, "once"), answering("Never allow", false, "always")];
  const title = make("h3");
  title.id = `request-${id}`;
  const content = make("div", "content");
  const answers = make(
    "div",
    "answers",
    make("div", "buttons", ...allowing),
    make("div", "buttons", ...denying),
  );
  answers.role = "group";
  answers.setAttribute("aria-labelledby", title.id);
  // A timer is not read out whenever it changes.
  const timer = make("p", "soft");
  timer.role = "timer";
  const element = make("li", "card request permission", title, content, answers, timer);

  const inert = new InertMoment(answers, () => refresh());
  const refresh = () => {
    const left = untilMs - Date.now();
    const isOver = answer !== "" || left <= 0;
    for (const each of denying) each.disabled = isOver;
    for (const each of allowing) each.disabled = isOver || !inert.isOver;
    if (answer !== "") setText(timer, `Your answer: ${answer}.`);
    else if (left <= 0) setText(timer, "No answer came in time: it was denied.");
    else setText(timer, `Without an answer it is denied in ${Math.ceil(left / 1000)} s.`);
    clearTimeout(tick);
    if (!isOver) tick = setTimeout(refresh, left % 1000 || 1000);
  };
  return {
    element,
    show(now) {
      const told = JSON.stringify(now);
      if (told !== shown) {
        shown = told;
        answer = "";
        ({ untilMs } = now.question);
        setText(title, requestTitle(now));
        content.replaceChildren(...contentOf(now));
        // What is asked each time has no answer that could be kept.
        for (const each of [...allowing.slice(1), ...denying.slice(1)]) {
          each.hidden = now.question.eachTime;
        }
        // A plan is for more than one call.
        for (const each of allowing.slice(0, 1)) each.hidden = beyond === "plan";
        inert.begin();
      }
      inert.look();
    },
    gone() {
      inert.end();
      clearTimeout(tick);
    },
  };
}

function contentOf({ id, what, question }: PermissionRequest): HTMLElement[] {
  const { places, keys, warnings, eachTime } = question;
  const facts = make("dl", "facts");
  if (places.length > 0) {
    facts.append(
      make("dt", "", "Where"),
      ...places.map((each) => make("dd", "", ...placeOf(each))),
    );
  }
  question.with.forEach((detail, index) => {
    facts.append(...detailOf(detail, `request-${id}-detail-${index}`));
  });
  if (keys.length > 0) {
    const named = keys.flatMap((key) => [" ", make("code", "", key)]);
    facts.append(make("dt", "", "Permission"), make("dd", "", ...named.slice(1)));
  }
  const parts: HTMLElement[] = [make("p", "wish", ...visibleText(what))];
  if (warnings.length > 0) {
    const list = make("ul", "warnings");
    list.ariaLabel = "Warnings";
    list.append(...warnings.map((each) => make("li", "", ...visibleText(each))));
    parts.push(list);
  }
  parts.push(facts);
  if (question.beyond === "rules") {
    parts.push(make("p", "soft", "This holds for every agent, until you change it again."));
  } else if (eachTime) {
    parts.push(make("p", "soft", "You are asked each time: an answer is not kept."));
  }
  return parts;
}

/** With what somebody had to register in bold: that is whose the place is. */
function placeOf({ domain, origin, readsAs }: Place): (Node | string)[] {
  const at = origin.lastIndexOf(domain);
  const [start, end] = at < 0 ? [0, origin.length] : [at, at + domain.length];
  const whole = make(
    "bdi",
    "origin",
    origin.slice(0, start),
    make("b", "", origin.slice(start, end)),
    origin.slice(end),
  );
  if (readsAs === undefined) return [whole];
  const read = make("bdi", "", ...visibleText(readsAs));
  return [whole, make("span", "reads-as", "reads as ", read)];
}

function detailOf({ label, text }: Detail, id: string): HTMLElement[] {
  const term = make("dt", "", label);
  term.id = id;
  const whole = make("bdi", "detail", ...visibleText(text));
  // To be scrolled with the keyboard.
  whole.tabIndex = 0;
  whole.role = "group";
  whole.setAttribute("aria-labelledby", id);
  return [term, make("dd", "", whole)];
}
