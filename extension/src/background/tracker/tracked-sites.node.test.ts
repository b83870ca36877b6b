import { describe, expect, it } from "vitest";
import { mayFollow, withSite } from "./tracked-sites";

const ON = { isOn: true, excluded: ["bank.test"] };
const tab = (url: string, incognito = false) => ({ url, incognito });

describe("which pages may be followed", () => {
  it("is none unless the user says so", () => {
    expect(mayFollow(tab("https://tea.test/"), { isOn: false, excluded: [] })).toBe(false);
    expect(mayFollow(tab("https://tea.test/"), ON)).toBe(true);
  });

  it("is never one in a private window", () => {
    expect(mayFollow(tab("https://tea.test/", true), ON)).toBe(false);
  });

  it.each([
    "chrome://settings/",
    "file:///etc/passwd",
    "about:blank",
    "",
    "view-source:https://tea.test/",
  ])("is not %s", (url) => {
    expect(mayFollow(tab(url), ON)).toBe(false);
  });

  it("is none of a site that is left out, nor below it, but one that ends alike", () => {
    expect(mayFollow(tab("https://bank.test/"), ON)).toBe(false);
    expect(mayFollow(tab("https://login.bank.test/"), ON)).toBe(false);
    expect(mayFollow(tab("https://notbank.test/"), ON)).toBe(true);
  });

  it("changes by site", () => {
    const more = withSite(ON.excluded, "mail.test", false);
    expect(more).toEqual(["bank.test", "mail.test"]);
    expect(withSite(more, "bank.test", true)).toEqual(["mail.test"]);
    // What is below a site that is left out can't be taken in without it.
    expect(withSite(ON.excluded, "login.bank.test", true)).toEqual([]);
  });
});
