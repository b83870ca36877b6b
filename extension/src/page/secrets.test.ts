import { describe, expect, it } from "vitest";
import { Flag } from "../protocol/generated";
import { facts } from "./facts";
import { elementsOf, show } from "./page.fixture";
import { rememberPasswordFields } from "./secrets";

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
    "<label>Code <input autocomplete=one-time-code value=hunter2></label>",
    "<button aria-labelledby=p>x</button><input id=p type=password value=hunter2>",
    "<select autocomplete=cc-exp-month aria-label=Month><option>x<option selected value=hunter2>y</select>",
  ])("is never sent: %s", (markup) => {
    const field = elementsOf(markup).find(([, tag]) => tag === "input" || tag === "select");
    expect((field?.[4] ?? 0) & Flag.Secret).toBe(Flag.Secret);
    expect(field?.[7]?.value).toBeUndefined();
    expect(facts()).not.toContain("hunter2");
    expect(facts()).not.toContain('"selected":true');
  });

  it.each([
    "<input name=q value=open>",
    "<input name=pin value=open>",
    "<input name=company value=open>",
    "<input name=shipping_address value=open>",
    "<input name=discard value=open>",
  ])("is not what this holds: %s", (markup) => {
    expect(elementsOf(markup).find(([, tag]) => tag === "input")?.[7]?.value).toBe("open");
  });

  it("stays secret when the page shows what was typed", async () => {
    rememberPasswordFields();
    show("<input type=password value=hunter2>");
    document.querySelector("input")?.setAttribute("type", "text");
    await Promise.resolve();
    expect(facts()).not.toContain("hunter2");
  });
});
