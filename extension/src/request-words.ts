// How an agent's request is said to the user, in the panel and in a notification.
import type { UserRequest } from "./protocol/generated";

export function requestTitle({ client, kind }: UserRequest): string {
  return kind === "tab"
    ? `${client} asks for the tab you are looking at`
    : `${client} asks you to do something`;
}
