import { describe, expect, it } from "vitest";
import { sentFields } from "./sent-fields";

const PARTS = [
  '--b\r\nContent-Disposition: form-data; name="user"\r\n\r\nbob\r\n',
  '--b\r\nContent-Disposition: form-data; name="photo"; filename="name=x.png"\r\n\r\nhunter2\r\n--b--',
].join("");

describe("what a request sends", () => {
  it.each([
    ["application/x-www-form-urlencoded", "user=bob&p%5B%5D=hunter2&user=x", ["user", "p[]"]],
    ["application/json", '{"user":"bob","nested":{"pin":"hunter2"}}', ["user", "nested"]],
    ["application/json; charset=utf-8", '[{"a":"hunter2"},{"b":2}]', ["a"]],
    ["text/plain", '{"user":"bob"}', ["user"]],
    ["multipart/form-data; boundary=b", PARTS, ["user", "photo"]],
    ["application/json", "hunter2", []],
    ["application/json", '"hunter2"', []],
    ["application/octet-stream", "hunter2", []],
    ["", "", []],
  ])("is told by its names only, as %s", (type, body, names) => {
    expect(sentFields(body, type)).toEqual(names);
  });

  it("is cut where it would drown everything else", () => {
    const body = JSON.stringify(
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}`.padEnd(900), 1])),
    );
    const names = sentFields(body, "application/json");
    expect(names).toHaveLength(100);
    expect(names[0]).toHaveLength(200);
  });
});
