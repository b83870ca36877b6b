import { describe, expect, it } from "vitest";
import type { Place, UserRequest } from "./protocol/generated";
import { requestMessage, requestTitle } from "./request-words";

const place = (name: string): Place => ({ domain: name, origin: `https://${name}` });

function asked(places: Place[], eachTime = false): UserRequest {
  const question = { keys: [], places, with: [], eachTime, warnings: [], untilMs: 0 };
  return { id: 1, session: "a", client: "cursor", kind: "permission", what: "Click", question };
}

describe("a request is told", () => {
  it.each<[string, UserRequest]>([
    ["cursor asks for your permission", asked([])],
    ["cursor asks you to confirm this", asked([], true)],
    ["cursor asks you to do something", { ...asked([]), kind: "human" }],
    ["cursor asks to record what you do", { ...asked([]), kind: "record" }],
    ["cursor records what you do", { ...asked([]), kind: "recording" }],
    ["cursor asks for the tab you are looking at", { ...asked([]), kind: "tab" }],
  ])("as “%s”", (title, request) => {
    expect(requestTitle(request)).toBe(title);
  });

  it("with what and where", () => {
    expect(requestMessage(asked([place("a.test")]))).toBe("Click\nhttps://a.test");
  });

  it("with as many places as there is room for", () => {
    const places = ["a.test", "b.test", "c.test", "d.test"].map(place);
    expect(requestMessage(asked(places))).toBe("Click\nhttps://a.test, https://b.test and 2 more");
  });

  it("without a word, where it brings none", () => {
    const { question, ...request } = asked([]);
    expect(requestMessage({ ...request, what: "" })).toBe("Answer in Outrigger's panel.");
  });
});
