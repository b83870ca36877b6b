import { describe, expect, it } from "vitest";
import type { StakesArgs } from "../protocol/generated";
import { numberOf } from "./numbers";
import { show } from "./page.fixture";
import { stakes } from "./stakes";

const { origin } = location;

/** What pressing, or Enter at, the element with `id=it` would set off. */
function told(markup: string, by: StakesArgs["by"]): string[] {
  show(markup);
  const element = document.getElementById("it") as HTMLElement;
  return stakes({ origin, node: numberOf(element), by }).map(
    ({ role, name, asked }) => `${role} ${name} | ${asked.replaceAll(/\s+/g, " ").trim()}`,
  );
}

describe("what a press sets off", () => {
  it("is the control that it lands on, and the question that this answers", () => {
    expect(told("<h2>Your cart</h2><button id=it>Pay now</button>", "press")).toEqual([
      "button Pay now | Your cart",
    ]);
    expect(told("<button><b id=it>Delete</b></button>", "press")).toEqual(["button Delete | "]);
    expect(
      told(
        "<h1>Page</h1><div role=dialog><p>Delete all?</p><button id=it>Yes</button></div>",
        "press",
      ),
    ).toEqual(["button Yes | Delete all? Yes"]);
  });

  it("is told of what has no role by its words", () => {
    expect(told("<div id=it onclick=''>Send it</div>", "press")).toEqual(["generic Send it | "]);
    expect(told("<input type=submit id=it value='Order now'>", "press")).toEqual([
      "button Order now | ",
    ]);
  });
});

describe("a form whose button says nothing of what it does", () => {
  const formOf = (markup: string, by: StakesArgs["by"] = "press") => {
    show(markup);
    const element = document.getElementById("it") as HTMLElement;
    return stakes({ origin, node: numberOf(element), by }).map(({ form }) => form);
  };

  it("is told where it asks for a card", () => {
    expect(
      formOf("<form><input autocomplete=cc-number><button id=it>Next</button></form>"),
    ).toEqual(["card"]);
    expect(
      formOf("<form><input name=cardNumber id=it><button>Next</button></form>", "enter"),
    ).toEqual(["card"]);
    expect(
      formOf("<form id=f><input id=cvv></form><input type=submit form=f id=it value=Go>"),
    ).toEqual(["card"]);
  });

  it("is told where it asks for another password, and not where somebody signs up or in", () => {
    const password = "<input type=password>";
    const button = "<button id=it>Save</button>";
    const fresh = "<input type=password autocomplete=new-password>";
    for (const fields of [password + password + password, password + password, fresh]) {
      expect(formOf(`<form>${fields}${button}</form>`), fields).toEqual(["newPassword"]);
    }
    const name = "<input type=email>";
    for (const fields of [password, name + password, name + fresh, name + password + password]) {
      expect(formOf(`<form>${fields}${button}</form>`), fields).toEqual(["other"]);
    }
  });

  it("is nothing to a button that does not send it, or to fields that nobody sees", () => {
    const card = "<input autocomplete=cc-number>";
    expect(formOf(`<form>${card}<button type=button id=it>Help</button></form>`)).toEqual([
      undefined,
    ]);
    expect(
      formOf(`<form><div style="display:none">${card}</div><button id=it>Next</button></form>`),
    ).toEqual(["other"]);
    expect(formOf(`<form>${card}</form><form><button id=it>Search</button></form>`)).toEqual([
      "other",
    ]);
    expect(formOf("<form><input type=search><button id=it>Go</button></form>")).toEqual([
      undefined,
    ]);
  });

  it("is any other where a dialog is answered", () => {
    expect(formOf("<div role=dialog><button id=it>Next</button></div>")).toEqual(["other"]);
    expect(formOf("<h2>Pay gap widens</h2><button id=it>Next</button>")).toEqual([undefined]);
  });
});

describe("what Enter sets off", () => {
  it("is the button that sends the form, wherever that stands", () => {
    expect(
      told(
        "<form><input id=it><button type=button>Help</button><button>Send</button></form>",
        "enter",
      ),
    ).toEqual(["button Send | "]);
    expect(
      told("<form id=f><input id=it></form><button form=f>Transfer</button>", "enter"),
    ).toEqual(["button Transfer | "]);
  });

  it("may be any of the buttons around where there is no form", () => {
    const chat =
      "<main><p>Hello</p><div><div contenteditable id=it></div><button>Attach</button><button>Send</button></div></main>";
    expect(told(chat, "enter")).toEqual(["button Attach | ", "button Send | "]);
  });

  it("is the control itself where that is no field", () => {
    expect(told("<button id=it>Publish</button>", "enter")).toEqual(["button Publish | "]);
    expect(told("<a href=/ id=it>Log out</a>", "enter")).toEqual(["link Log out | "]);
  });
});

describe("what a choice sets off", () => {
  const fill = (markup: string, ...values: string[]) => told(markup, { fill: values });

  it("is the option that is chosen, unless it is already", () => {
    const select =
      "<h2>Account</h2><select id=it><option>Keep it<option value=gone>Delete my account</select>";
    expect(fill(select, "gone")).toEqual(["option Delete my account | Account"]);
    expect(fill(select, "Keep it")).toEqual([]);
    const several = "<select multiple id=it><option selected>A<option>B<option>C</select>";
    expect(fill(several, "A", "C")).toEqual(["option C | "]);
  });

  it("is the box or the radio button itself, if that changes it", () => {
    const box = "<label><input type=checkbox id=it> I authorise the transfer</label>";
    expect(fill(box, "true")).toEqual(["checkbox I authorise the transfer | "]);
    expect(fill(box, "false")).toEqual([]);
    const radios =
      "<label><input type=radio name=r id=it checked>Stay</label><label><input type=radio name=r>Leave</label>";
    expect(fill(radios, "Leave")).toEqual(["radio Leave | "]);
    expect(fill(radios, "Stay")).toEqual([]);
    expect(fill("<button aria-pressed=false id=it>Publish</button>", "true")).toEqual([
      "button Publish | ",
    ]);
  });

  it("is known before a list of the page's own making is open", () => {
    const list =
      "<ul role=listbox id=it><li role=option data-value=x>Delete all<li role=option>None</ul>";
    expect(fill(list, "x")).toEqual(["option Delete all | "]);
    const popup = "<button id=it aria-haspopup=listbox>Choose</button>";
    expect(fill(popup, "Delete all")).toEqual(["option Delete all | "]);
  });

  it("is nothing where text is written, or the field would refuse", () => {
    expect(fill("<input id=it>", "Delete all")).toEqual([]);
    expect(fill("<select id=it><option>A</select>", "B")).toEqual([]);
    expect(fill("<p id=it>Words</p>", "true")).toEqual([]);
  });
});

it("is told of what has the focus where no element is named", () => {
  show("<input id=it>");
  expect(stakes({ origin, by: "enter" })).toEqual([]);
  show("<button id=it>Buy</button>");
  document.getElementById("it")?.focus();
  expect(stakes({ origin, by: "enter" }).map(({ name }) => name)).toEqual(["Buy"]);
  expect(() => stakes({ origin: "https://other.example", by: "enter" })).toThrow();
});
