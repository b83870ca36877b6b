import { beforeEach, describe, expect, it } from "vitest";
import { takeDrop, watchDrop } from "../drop";
import { show } from "../page.fixture";
import { notePreparedPress } from "./prepared-press";
import { synthesize } from "./synthesize";

const heard: string[] = [];

beforeEach(() => {
  heard.length = 0;
});

function find<Found extends HTMLElement = HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

function listen(element: HTMLElement, ...types: string[]): void {
  for (const type of types) element.addEventListener(type, () => heard.push(type));
}

function centreOf(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

function mouse(element: Element, type: string, more: object = {}): void {
  const params = { type, ...centreOf(element), button: "left", clickCount: 1, ...more };
  synthesize({ method: "Input.dispatchMouseEvent", params });
}

function click(element: Element): void {
  const point = centreOf(element);
  notePreparedPress(element, point);
  mouse(element, "mouseMoved", { button: "none", clickCount: 0 });
  mouse(element, "mousePressed", { buttons: 1 });
  mouse(element, "mouseReleased");
}

function key(key: string, more: object = {}): void {
  const params = { key, code: key, ...more };
  synthesize({ method: "Input.dispatchKeyEvent", params: { type: "keyDown", ...params } });
  synthesize({ method: "Input.dispatchKeyEvent", params: { type: "keyUp", ...params } });
}

function type(text: string): void {
  synthesize({ method: "Input.insertText", params: { text } });
}

describe("a synthetic click", () => {
  it("is all that a browser sends, in its order, and moves the focus", () => {
    show("<button>Go</button>");
    const button = find("button");
    const types =
      "pointerover pointerenter mouseover mouseenter pointermove mousemove pointerdown mousedown focus pointerup mouseup click";
    listen(button, ...types.split(" "));
    click(button);
    expect(heard.join(" ").replace("mouseover pointerenter", "pointerenter mouseover")).toBe(types);
    expect(document.activeElement).toBe(button);
  });

  it("does what the control does", () => {
    show('<label><input type="checkbox"> Yes</label><details><summary>More</summary>x</details>');
    click(find("input"));
    expect(find<HTMLInputElement>("input").checked).toBe(true);
    click(find("label"));
    expect(find<HTMLInputElement>("input").checked).toBe(false);
    click(find("summary"));
    expect(find<HTMLDetailsElement>("details").open).toBe(true);
  });

  it("leaves the focus where the page wants it", () => {
    show("<input><button>Bold</button>");
    find("input").focus();
    find("button").addEventListener("mousedown", (event) => event.preventDefault());
    click(find("button"));
    expect(document.activeElement).toBe(find("input"));
  });

  it("never goes to another element than was prepared", () => {
    show("<button>Go</button>");
    const button = find("button");
    listen(button, "click");
    const point = centreOf(button);
    notePreparedPress(button, point);
    const cover = document.createElement("div");
    cover.style.cssText = "position:fixed;inset:0;background:white";
    document.body.append(cover);
    expect(() => mouse(button, "mousePressed")).toThrowError(/moved/);
    expect(heard).toEqual([]);
  });

  it("is a double or a right click where that was asked for", () => {
    show("<button>Go</button>");
    const button = find("button");
    listen(button, "click", "dblclick", "contextmenu");
    click(button);
    mouse(button, "mousePressed", { clickCount: 2 });
    mouse(button, "mouseReleased", { clickCount: 2 });
    mouse(button, "mousePressed", { button: "right" });
    mouse(button, "mouseReleased", { button: "right" });
    expect(heard).toEqual(["click", "click", "dblclick", "contextmenu"]);
  });

  it("scrolls by the wheel what can be scrolled", () => {
    show('<div style="height:100px;overflow:auto"><p style="height:900px">Long</p></div>');
    mouse(find("div"), "mouseWheel", { deltaY: 120, button: "none" });
    expect(find("div").scrollTop).toBe(120);
  });
});

describe("synthetic typing", () => {
  it("replaces what is selected and tells the page", () => {
    show('<input value="old">');
    const field = find<HTMLInputElement>("input");
    listen(field, "beforeinput", "input");
    field.focus();
    field.select();
    type("new words");
    expect(field.value).toBe("new words");
    expect(heard).toEqual(["beforeinput", "input"]);
  });

  it("reaches editable elements and text areas", () => {
    show("<div contenteditable>a</div><textarea></textarea>");
    find("div").focus();
    getSelection()?.selectAllChildren(find("div"));
    type("b");
    expect(find("div").textContent).toBe("b");
    find("textarea").focus();
    type("one");
    key("Enter", { text: "\r" });
    key("x", { text: "x" });
    expect(find<HTMLTextAreaElement>("textarea").value).toBe("one\nx");
  });

  it("is refused where nothing takes text", () => {
    show("<button>Go</button>");
    find("button").focus();
    expect(() => type("x")).toThrowError(/takes no text/);
  });
});

describe("a synthetic key", () => {
  it("submits a form through its button", () => {
    show('<form><input name="a"><button>Send</button></form>');
    find("form").addEventListener("submit", (event) => {
      event.preventDefault();
      heard.push(`submit by ${(event as SubmitEvent).submitter?.textContent}`);
    });
    find("input").focus();
    key("Enter", { text: "\r" });
    expect(heard).toEqual(["submit by Send"]);
  });

  it("presses what has the focus, moves it on and edits", () => {
    show('<button>One</button><input value="ab"><button>Two</button>');
    const [one, two] = document.querySelectorAll("button");
    listen(find("button"), "click");
    one?.focus();
    key(" ", { text: " " });
    key("Enter", { text: "\r" });
    expect(heard).toEqual(["click", "click"]);
    key("Tab");
    expect(document.activeElement).toBe(find("input"));
    find<HTMLInputElement>("input").setSelectionRange(2, 2);
    key("Backspace");
    expect(find<HTMLInputElement>("input").value).toBe("a");
    key("a", { modifiers: 2, commands: ["selectAll"] });
    key("Delete");
    expect(find<HTMLInputElement>("input").value).toBe("");
    key("Tab");
    expect(document.activeElement).toBe(two);
    key("Tab", { modifiers: 8 });
    expect(document.activeElement).toBe(find("input"));
  });

  it("does nothing by itself where the page took it", () => {
    show("<input>");
    const field = find<HTMLInputElement>("input");
    field.addEventListener("keydown", (event) => event.preventDefault());
    field.focus();
    key("x", { text: "x" });
    expect(field.value).toBe("");
  });

  it("is refused where only the browser could carry it out", () => {
    show("<select><option>a<option>b</select>");
    find("select").focus();
    expect(() => key("ArrowDown")).toThrowError(/debugger/);
    expect(() => key("F5")).toThrowError(/debugger/);
    expect(() => key("r", { modifiers: 2 })).toThrowError(/debugger/);
  });
});

describe("a synthetic drag", () => {
  const CARDS =
    '<div id="card" draggable="true">Card</div><div id="bin" style="margin-top:50px">Bin</div>';

  function carry(from: Element, to: Element): void {
    notePreparedPress(from, centreOf(from));
    const end = centreOf(to);
    mouse(from, "mousePressed", { buttons: 1 });
    mouse(from, "mouseMoved", { ...end, buttons: 1 });
    mouse(from, "mouseMoved", { ...end, buttons: 1 });
    mouse(from, "mouseReleased", end);
  }

  it("takes its data to where it is welcome, and tells of it", () => {
    show(CARDS);
    const [card, bin] = [find("#card"), find("#bin")];
    let data = "";
    card.ondragstart = (event) => event.dataTransfer?.setData("text/plain", "the card");
    bin.ondragover = (event) => event.preventDefault();
    bin.ondrop = (event) => {
      data = event.dataTransfer?.getData("text/plain") ?? "";
    };
    listen(card, "dragstart", "pointercancel", "dragend", "click");
    listen(bin, "dragenter", "dragover", "drop", "mouseup");
    watchDrop();
    carry(card, bin);
    expect(heard).toEqual("dragstart pointercancel dragenter dragover drop dragend".split(" "));
    expect(data).toBe("the card");
    expect(takeDrop()).toBe(true);
  });

  it("ends without a drop where nobody takes it", () => {
    show(CARDS);
    const [card, bin] = [find("#card"), find("#bin")];
    listen(card, "dragend");
    listen(bin, "dragover", "dragleave", "drop");
    watchDrop();
    carry(card, bin);
    expect(heard).toEqual("dragover dragleave dragend".split(" "));
    expect(takeDrop()).toBe(false);
  });

  it("is left to a page that begins none", () => {
    show(CARDS);
    const [card, bin] = [find("#card"), find("#bin")];
    card.ondragstart = (event) => event.preventDefault();
    listen(bin, "pointermove", "dragover", "mouseup");
    carry(card, bin);
    expect(heard).toEqual("pointermove pointermove mouseup".split(" "));
  });
});
