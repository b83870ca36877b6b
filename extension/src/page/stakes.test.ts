import { describe, expect, it } from "vitest";
import { numberOf } from "./numbers";
import { show } from "./page.fixture";
import { stakes } from "./stakes";

const { origin } = location;

/** What pressing, or Enter at, the element with `id=it` would set off. */
function told(markup: string, by: "press" | "enter"): string[] {
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

it("is told of what has the focus where no element is named", () => {
  show("<input id=it>");
  expect(stakes({ origin, by: "enter" })).toEqual([]);
  show("<button id=it>Buy</button>");
  document.getElementById("it")?.focus();
  expect(stakes({ origin, by: "enter" }).map(({ name }) => name)).toEqual(["Buy"]);
  expect(() => stakes({ origin: "https://other.example", by: "enter" })).toThrow();
});
