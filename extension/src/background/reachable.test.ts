import { expect, it } from "vitest";
import { isReachable } from "./reachable";

it.each([
  "https://example.com/",
  "http://127.0.0.1:8000/",
  "about:blank",
  "https://chromewebstore.google.com.example.org/",
  "blob:https://example.com/4f",
])("lets %s be read", (address) => {
  expect(isReachable(address)).toBe(true);
});

it.each([
  "chrome://settings",
  "chrome-extension://bigediajialbnoimdpglfonfippifjkl/popup.html",
  "blob:chrome-extension://bigediajialbnoimdpglfonfippifjkl/4f",
  "devtools://devtools/bundled/inspector.html",
  "view-source:https://example.com/",
  "https://chromewebstore.google.com/detail/x",
  "https://chromewebstore.google.com./detail/x",
  "https://chrome.google.com/webstore/detail/x",
  "javascript:alert(1)",
  "no address",
])("keeps every order away from %s", (address) => {
  expect(isReachable(address)).toBe(false);
});
