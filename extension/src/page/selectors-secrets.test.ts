import { beforeEach, describe, expect, it } from "vitest";
import { show } from "./page.fixture";
import { ask } from "./query.fixture";

const FORM =
  "<form id=f><p title='a.b'><b>1</b></p><div contenteditable id=otp>123456</div><input name=q></form>";

describe("a code that is written in the page", () => {
  beforeEach(() => show(FORM));

  it.each([
    "//form[div='123456']",
    "//body[form/div>500000]",
    "//body[.//div>500000]",
    "//body[ 500000 < form/div ]",
    "//form[div][div=123456]",
    "//form[@id='f' and div=123456]",
    "//form[@id=div]",
    "//p[../div mod 2]",
    "//*[div - 123455]",
    "//*[div*1]",
    "//*[2-div]",
    "//*[div[1]=123456]",
    "//p['[1]'=../div]",
    "//form[contains(div, '123')]",
    "//div/text()",
  ])("can't be asked for by XPath: %s", (xpath) => {
    expect(() => ask({ xpath })).toThrow(expect.objectContaining({ code: "not_allowed" }));
  });

  it.each<[string, number]>([
    ["//form", 1],
    ["//form[@id='f']", 1],
    ['//form[ @id = "f" and @id!="g" ]/p[1]', 1],
    ["//p[@title='a.b'][b]", 1],
    ["//form[p/b]//input[@name]", 1],
    ["//form/*[2]", 1],
  ])("leaves questions of other kinds as they are: %s", (xpath, total) => {
    expect(ask({ xpath }).total).toBe(total);
  });
});

it("where no secret is written in the page, XPath can compare any text", () => {
  show("<form><p>123456</p></form>");
  expect(ask({ xpath: "//form[p>500000]" }).total).toBe(0);
  expect(ask({ xpath: "//form[p='123456']" }).total).toBe(1);
});

describe("what is chosen of a secret list", () => {
  beforeEach(() =>
    show(
      "<select autocomplete=cc-exp-month><option>1<option selected>2</select><input type=checkbox checked><p>:has</p>",
    ),
  );

  it.each([
    "select:has(> option:nth-child(2):checked)",
    "body:has(option:nth-child(2):default)",
    "select:HAS(option:CHECKED)",
    "select:has(option:ch\\65 cked)",
    "select:has(option[selected])",
  ])("can't be asked for by what holds it: %s", (css) => {
    expect(() => ask({ css })).toThrow(expect.objectContaining({ code: "not_allowed" }));
  });

  it("can't be asked for by XPath", () => {
    expect(() => ask({ xpath: "//select[option[2]/@selected]" })).toThrow(
      expect.objectContaining({ code: "not_allowed" }),
    );
  });

  it.each<[string, number]>([
    [":checked", 1],
    ["select:has(option)", 1],
    ["p:not(:empty)", 1],
    ["[aria-selected=true]", 0],
    ["p.selected:first-child", 0],
    [".md\\:flex", 0],
  ])("leaves questions of other kinds as they are: %s", (css, total) => {
    expect(ask({ css }).total).toBe(total);
  });
});

it("classes that are called like an attribute with a secret can be asked for", () => {
  show("<input type=password value=hunter2><b class=price-value>9</b>");
  expect(ask({ css: ".price-value:not(.x)" }).total).toBe(1);
});
