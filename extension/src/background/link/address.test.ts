import { expect, it } from "vitest";
import { linkUrl, parseHubAddress } from "./address";

it.each([
  ["127.0.0.1:9009", "127.0.0.1:9009"],
  [" localhost ", "localhost:9009"],
  ["ws://localhost:80/extension", "localhost:80"],
  ["https://Hub.Example:9443/", "hub.example:9443"],
  ["[::1]:9009", "[::1]:9009"],
])("reads %j as %j", (typed, address) => {
  expect(parseHubAddress(typed)).toBe(address);
});

it.each(["", "not an address", "user@host:1", "host:99999", "javascript:alert(1)"])(
  "takes %j for no address",
  (typed) => {
    expect(parseHubAddress(typed)).toBeUndefined();
  },
);

it("sends the token in the clear to this machine only", () => {
  expect(linkUrl("127.0.0.1:9009")).toBe("ws://127.0.0.1:9009/extension");
  expect(linkUrl("[::1]:9009")).toBe("ws://[::1]:9009/extension");
  expect(linkUrl("127.0.0.1.evil.example:9009")).toMatch(/^wss:/);
});
