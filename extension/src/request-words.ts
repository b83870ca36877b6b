// How an agent's request is said to the user, in the panel and in a notification.
import type { UserRequest } from "./protocol/generated";

/** A notification has room for few. */
const MOST_PLACES = 2;

export function requestTitle({ client, kind, question }: UserRequest): string {
  switch (kind) {
    case "tab":
      return `${client} asks for the tab you are looking at`;
    case "permission":
      return question?.eachTime
        ? `${client} asks you to confirm this`
        : `${client} asks for your permission`;
    case "record":
      return `${client} asks to record what you do`;
    case "recording":
      return `${client} records what you do`;
    case "human":
      return `${client} asks you to do something`;
  }
}

/** What and where, for a notification. */
export function requestMessage({ what, question }: UserRequest): string {
  const places = question?.places.map(({ origin }) => origin) ?? [];
  const left = places.length - MOST_PLACES;
  const where = places.slice(0, MOST_PLACES).join(", ") + (left > 0 ? ` and ${left} more` : "");
  const lines = [what, where].filter((line) => line !== "");
  return lines.length > 0 ? lines.join("\n") : "Answer in Outrigger's panel.";
}
