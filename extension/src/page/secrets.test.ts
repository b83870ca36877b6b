import { beforeAll, describe, expect, it } from "vitest";
import { Flag } from "../protocol/generated";
import { facts } from "./facts";
import { hasText } from "./has-text";
import { elementsOf, nodesOf, show } from "./page.fixture";
import { pageText } from "./page-text";
import { watchPasswordFields } from "./password-memory";
import { ask } from "./query.fixture";

let words = 0;

/** A word that no field held before: what a password field held is a secret wherever it stands. */
function freshly(markup: string): [markup: string, held: string] {
  words += 1;
  const held = `hunter${words}x`;
  return [markup.replaceAll("hunter2", held), held];
}

describe("the value of a secret field", () => {
  it.each([
    "<input type=password value=hunter2>",
    "<input autocomplete=one-time-code value=hunter2>",
    "<input autocomplete='section-a cc-number' value=hunter2>",
    "<input autocomplete=current-password value=hunter2>",
    "<input name=cardNumber value=hunter2>",
    "<input id=cvc value=hunter2>",
    "<input name='user[otp]' value=hunter2>",
    "<input name=new_password value=hunter2>",
    "<input name=pass value=hunter2>",
    "<input name=user_pass value=hunter2>",
    "<input id=userPass2 value=hunter2>",
    "<input id=login-passwd value=hunter2>",
    "<input name=loginpassword value=hunter2>",
    "<input name='account[pwd]' value=hunter2>",
    "<input name=passcode value=hunter2>",
    "<input name=cardPIN value=hunter2>",
    "<input name=PINEntry value=hunter2>",
    "<input autocomplete=password value=hunter2>",
    "<label>Code <input autocomplete=one-time-code value=hunter2></label>",
    "<label>CVV2 <input value=hunter2></label>",
    "<input placeholder=PIN value=hunter2>",
    "<input placeholder='Enter the 6-digit code we sent' value=hunter2>",
    "<input aria-label='Enter code' inputmode=numeric maxlength=8 value=hunter2>",
    "<input aria-label='Enter code' pattern='[0-9]*' maxlength=8 value=hunter2>",
    "<label>Contraseña <input value=hunter2></label>",
    "<input placeholder=验证码 value=hunter2>",
    "<input name=mot_de_passe value=hunter2>",
    "<input style='-webkit-text-security:disc' value=hunter2>",
    "<p style='-webkit-text-security:square'><input value=hunter2></p>",
    "<button aria-labelledby=p>x</button><input id=p type=password value=hunter2>",
    "<select autocomplete=cc-exp-month aria-label=Month><option>x<option selected value=hunter2>y</select>",
    // Fields that repeat what they hold.
    "<input type=password value=hunter2 title=hunter2>",
    "<input type=password value=hunter2 placeholder='was hunter2'>",
    "<input type=password value=hunter2 aria-label='hunter2!'>",
    "<label>hunter2 <input type=password value=hunter2></label>",
  ])("is never sent: %s", async (written) => {
    const [markup, held] = freshly(written);
    const field = (await elementsOf(markup)).find(([, tag]) => tag === "input" || tag === "select");
    expect((field?.[4] ?? 0) & Flag.Secret).toBe(Flag.Secret);
    expect(field?.[7]?.value).toBeUndefined();
    expect(await facts(null)).not.toContain(held);
    expect(await facts(null)).not.toContain('"selected":true');
  });

  it.each([
    "<input name=q value=open>",
    "<input name=passenger value=open>",
    "<input id=passengerName value=open>",
    "<input id=compass value=open>",
    "<input name=spinner value=open>",
    "<input name=shipping value=open>",
    "<input name=passport_country value=open>",
    "<input name=company value=open>",
    "<input name=shipping_address value=open>",
    "<input name=discard value=open>",
    "<label>Zip code <input inputmode=numeric maxlength=5 value=open></label>",
    "<label>Promo code <input inputmode=numeric maxlength=8 value=open></label>",
    "<label>Enter code <input value=open></label>",
    "<label>Enter code <input inputmode=numeric value=open></label>",
    "<label>Enter code <input pattern='[a-z]*' maxlength=8 value=open></label>",
    "<input name=pinboard value=open>",
    "<input style='-webkit-text-security:none' value=open>",
  ])("is not what this holds: %s", async (markup) => {
    expect((await elementsOf(markup)).find(([, tag]) => tag === "input")?.[7]?.value).toBe("open");
  });
});

describe("a secret that is written in a part of the page", () => {
  const CODE = "<p>Enter it</p><div contenteditable aria-label='One-time code'>hunter2</div>";

  it.each([
    CODE,
    "<div contenteditable autocomplete=one-time-code>hunter2</div>",
    "<div contenteditable id=otp><p>hunter2</p></div>",
    "<textarea style='-webkit-text-security:disc'>hunter2</textarea>",
    "<div contenteditable style='-webkit-text-security:circle'>hunter2</div>",
    "<p id=l>Verification code</p><div contenteditable aria-labelledby=l>hunter2</div>",
    "<button><span contenteditable id=otp>hunter2</span>Go</button>",
    "<div onclick='1'>Code: <span contenteditable id=otp>hunter2</span></div>",
  ])("is never sent: %s", async (written) => {
    const [markup, held] = freshly(written);
    show(markup);
    expect(await facts(null)).not.toContain(held);
    expect(await pageText()).not.toContain(held);
    expect(await hasText({ text: held })).toBe(false);
  });

  it.each([
    "<textarea aria-label=Note>4111 1111 1111 1111</textarea>",
    "<div contenteditable aria-label=Note>4111 1111 1111 1111</div>",
    "<div contenteditable><p>4111&nbsp;1111</p> <p><b>1111</b>-1111</p></div>",
  ])("is known by its digits, if it is a card number: %s", async (markup) => {
    const told = JSON.stringify([await nodesOf(markup), await pageText()]);
    expect(told).not.toContain("1111");
  });

  it("is none that merely has digits in it", async () => {
    show("<div contenteditable aria-label=Note>Order 4111 1111 1111 1111</div>");
    expect(await pageText()).toBe("Order 4111 1111 1111 1111");
  });

  it("is left out of the text around it only", async () => {
    show(CODE);
    expect(await pageText()).toBe("Enter it");
    expect(await hasText({ text: "enter it" })).toBe(true);
    show("<p>Enter it</p><div contenteditable aria-label=Remarks>teapot</div>");
    expect(await pageText()).toBe("Enter it\nteapot");
    expect(await hasText({ text: "teapot" })).toBe(true);
  });
});

describe("a field whose letters were dots", () => {
  it.each([
    "<input id=x class=dots value=hunter2>",
    "<textarea id=x class=dots>hunter2</textarea>",
    "<div id=x class=dots contenteditable>hunter2</div>",
  ])("stays secret when the page shows them: %s", async (written) => {
    const [markup, held] = freshly(written);
    show(`<style>.dots{-webkit-text-security:disc}</style>${markup}`);
    expect(await facts(null)).not.toContain(held);
    document.querySelector("#x")?.removeAttribute("class");
    expect(await facts(null)).not.toContain(held);
  });
});

describe("a box to tick", () => {
  it("is no secret because its label speaks of one", () => {
    show("<label>Remember my password <input type=checkbox checked></label>");
    const [match] = ask({ css: "input" }).matches;
    expect((match?.flags ?? 0) & Flag.Secret).toBe(0);
  });
});

describe("a field that was a password field", () => {
  beforeAll(() => watchPasswordFields(document));

  /** The observer has its say after the script that changed the page. */
  const observed = () => Promise.resolve();

  function input(): HTMLInputElement {
    const found = document.querySelector("input");
    if (!found) throw new Error("There is no field.");
    return found;
  }

  it("stays secret when the page shows what was typed", async () => {
    show("<input type=password value=hunter2>");
    input().setAttribute("type", "text");
    await observed();
    expect(await facts(null)).not.toContain("hunter2");
  });

  it.each(["hidden", "button", "submit", "number", "email", "date"])(
    "stays secret as one of type %s",
    async (type) => {
      show("<input type=password value=20020217>");
      input().setAttribute("type", type);
      await observed();
      const { matches } = ask({ css: "input" }, { attributes: [] });
      expect(JSON.stringify(matches)).not.toContain("2002");
      expect(await facts(null)).not.toContain("2002");
    },
  );

  it("is known by its value in fields of the page's own making", async () => {
    show("<input type=password value=hunter2><textarea></textarea><p contenteditable>hunter2</p>");
    const copy = document.querySelector("textarea");
    if (copy) copy.value = "hunter2";
    expect(await facts(null)).not.toContain("hunter2");
  });

  it("doesn't make a secret of a box that stands where it stood", async () => {
    show("<form><input type=password></form>");
    await observed();
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true });
    input().replaceWith(box);
    const [match] = ask({ css: "input" }).matches;
    expect(match?.state.checked).toBe("true");
    expect((match?.flags ?? 0) & Flag.Secret).toBe(0);
  });

  it("is remembered before anybody asked", async () => {
    show("<p></p>");
    await observed();
    const field = Object.assign(document.createElement("input"), { type: "password" });
    document.querySelector("p")?.append(field);
    await observed();
    field.type = "text";
    field.value = "hunter2";
    expect(await facts(null)).not.toContain("hunter2");
  });

  it.each([
    ["name", "<input type=password name=alpha1>", "<input name=alpha1 value=hunter2>"],
    ["id", "<input type=password id=alpha2>", "<input id=alpha2 value=hunter2>"],
  ])("leaves its secrecy to one of the same %s", async (_, before, after) => {
    show(`<div>${before}</div>`);
    await observed();
    show(`<section>${after}</section>`);
    expect(await facts(null)).not.toContain("hunter2");
  });

  it("leaves its secrecy to one in the same place of the same form", async () => {
    show("<form><input value=open><input type=password></form>");
    await observed();
    const field = document.querySelector("input[type=password]");
    field?.replaceWith(Object.assign(document.createElement("input"), { value: "hunter2" }));
    expect(await facts(null)).not.toContain("hunter2");
    expect(await facts(null)).toContain("open");
  });

  it("is watched in open shadow roots, once a walk found them", async () => {
    show("<div id=host></div>");
    const host = document.querySelector("#host");
    const root = host?.attachShadow({ mode: "open" });
    if (root) root.innerHTML = "<p>x</p>";
    await facts(null);
    if (root) root.innerHTML = "<input type=password value=hunter2>";
    await observed();
    root?.querySelector("input")?.setAttribute("type", "text");
    expect(await facts(null)).not.toContain("hunter2");
  });

  it("is found among many that are added at once", async () => {
    show(`${"<p><b>x</b></p>".repeat(100)}<p><input type=password></p>`);
    await observed();
    const field = input();
    field.type = "text";
    field.value = "hunter2";
    expect(await facts(null)).not.toContain("hunter2");
  });
});
