import { expect, test } from "vitest";
import { show } from "./page.fixture";
import { veil } from "./veil";

function field(id: string): HTMLInputElement {
  return document.getElementById(id) as HTMLInputElement;
}

function dots(id: string): string {
  return getComputedStyle(field(id)).getPropertyValue("-webkit-text-security");
}

test("a secret that the page shows is dots while a picture is taken, and as before after", () => {
  show(`<input id="code" autocomplete="one-time-code" value="123456" style="color: red">
    <input id="card" autocomplete="cc-number" value="4111"><input id="name" value="Ada">
    <input id="empty" autocomplete="one-time-code"><input id="hidden" type="password" value="x">
    <div contenteditable aria-label="One-time code"><b id="written">123</b></div>`);
  expect(veil(true)).toBe(3);
  expect([dots("code"), dots("card"), dots("name")]).toEqual(["disc", "disc", "none"]);
  expect(dots("written")).toBe("disc");
  expect(veil(false)).toBe(0);
  expect([dots("code"), field("code").getAttribute("style")]).toEqual(["none", "color: red"]);
  expect(field("card").hasAttribute("style")).toBe(false);
});

test("a password that is shown is veiled too, also in a shadow root", () => {
  show(`<input id="login" type="password" value="x"><div id="host"></div>`);
  const root = document.getElementById("host")?.attachShadow({ mode: "open" });
  if (root) root.innerHTML = `<select autocomplete="cc-exp-month"><option>May</option></select>`;
  veil(true);
  field("login").type = "text";
  expect(veil(true)).toBe(2);
  const select = root?.querySelector("select");
  expect(select && getComputedStyle(select).visibility).toBe("hidden");
  veil(false);
});
