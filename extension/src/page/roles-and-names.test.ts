import { describe, expect, it } from "vitest";
import { controlsOf, elementsOf, wordsOf } from "./page.fixture";

class Field extends HTMLElement {
  static readonly formAssociated = true;
}
customElements.define("x-field", Field);

describe("a control's role and name", () => {
  it.each([
    ["<button>Go</button>", 'button "Go"'],
    ["<button aria-label='Close'>×</button>", 'button "Close"'],
    [
      "<i id=l>From</i><button aria-labelledby='l m'>x</button><i id=m>here</i>",
      'button "From here"',
    ],
    ["<button title='Help'><svg></svg></button>", 'button "Help"'],
    ["<button><svg><title>Search</title></svg></button>", 'button "Search"'],
    ["<button><img alt='Logo' src='data:,'> Home</button>", 'button "Logo Home"'],
    ["<a href='/x'><img alt='Boats' src='data:,'><b>and ships</b></a>", 'link "Boats and ships"'],
    ["<button><i aria-hidden=true>*</i> Star</button>", 'button "Star"'],
    ["<button><i aria-hidden=true>★</i></button>", 'button "" showing "★"'],
    ["<button title=Rate><i aria-hidden=true>★</i></button>", 'button "Rate"'],
    ["<a href='/x'><article><img alt=Tea src='data:,'>Tea</article></a>", 'link "" showing "Tea"'],
    ["<a href='/x'><figure><img alt=Tea src='data:,'></figure>Green tea</a>", 'link "Green tea"'],
    ["<a href='/x'>More <nav aria-label=Teas>Green</nav></a>", 'link "More Teas"'],
    [
      "<button><span style='position:absolute;width:1px;height:1px;overflow:hidden'>Menu</span>≡</button>",
      'button "Menu ≡"',
    ],
    ["<button>One<div>two</div>three</button>", 'button "One two three"'],
    ["<a href='/x'>Wikipedia</a>", 'link "Wikipedia"'],
    ["<label for=f>Name</label><input id=f>", 'textbox "Name"'],
    ["<label>Name <input></label>", 'textbox "Name"'],
    ["<input placeholder='Type here'>", 'textbox "Type here"'],
    ["<input type=search aria-label=Find>", 'searchbox "Find"'],
    ["<input type=submit>", 'button "Submit"'],
    ["<input type=submit value='Buy now'>", 'button "Buy now"'],
    ["<input type=checkbox id=c><label for=c>Agree</label>", 'checkbox "Agree"'],
    // Made invisible and drawn anew, in one of many ways.
    ...[
      "<input type=checkbox id=c style='position:absolute;left:-9999px'>",
      "<span style='position:absolute;width:1px;height:1px;overflow:hidden'><input type=checkbox id=c></span>",
      "<div style='opacity:0'><input type=checkbox id=c></div>",
      "<div style='clip-path:circle(0)'><input type=checkbox id=c></div>",
      "<input type=checkbox id=c hidden>",
    ].map((box): [string, string] => [`${box}<label for=c>Agree</label>`, 'checkbox "Agree"']),
    [
      "<input type=file id=u style='position:absolute;left:-9999px'><label for=u>Upload</label>",
      'button "Upload"',
    ],
    [
      "<div style='overflow:hidden;width:300px'><div style='width:900px;padding-left:400px'><label><input type=checkbox>Later</label></div></div>",
      'checkbox "Later"',
    ],
    ["<input type=number aria-label=Age>", 'spinbutton "Age"'],
    ["<textarea aria-label=Note>old</textarea>", 'textbox "Note"'],
    ["<label>Size <select><option>S<option>M</select></label>", 'combobox "Size"'],
    ["<details><summary>More</summary>hidden</details>", 'button "More"'],
    ["<div role=tab>First</div>", 'tab "First"'],
    ["<div role='nonsense button'>Go</div>", 'button "Go"'],
    ["<button role=presentation>Go</button>", 'button "Go"'],
    ["<div role=switch aria-checked=true>Wifi</div>", 'switch "Wifi"'],
    ["<div contenteditable aria-label=Body>text</div>", 'textbox "Body"'],
    ["<div onclick='1'>Click me</div>", 'generic "Click me"'],
    ["<div tabindex=0>Focus me</div>", 'generic "Focus me"'],
    ["<p>A <span style='cursor:pointer'>word</span> in it</p>", 'generic "word"'],
    [
      "<i style='cursor:pointer;display:inline-block;width:9px;height:9px' title=Bin></i>",
      'generic "Bin"',
    ],
    ["<svg style='cursor:pointer' width=9 height=9><title>Bin</title></svg>", 'generic "Bin"'],
  ])("of %s is %s", async (markup, control) => {
    expect(await controlsOf(markup)).toEqual([control]);
  });

  it.each([
    ["<div style='cursor:pointer'><a href='/x' style='cursor:pointer'>In</a></div>", ['link "In"']],
    [
      "<div style='cursor:pointer'>Card<p style='cursor:default'>text <i style='cursor:pointer'>x</i></p></div>",
      ['generic ""', 'generic "x"'],
    ],
    // As jQuery UI writes its tabs.
    [
      "<ul role=tablist><li role=tab tabindex=0><a href='#t' role=presentation tabindex=-1>One</a></li></ul>",
      ['tab "One"'],
    ],
    [
      "<ul role=tablist><li role=tab tabindex=0>One <a href='#t'>Close</a></li></ul>",
      ['tab "One Close"', 'link "Close"'],
    ],
    ["<button><i style='cursor:pointer'>Go</i></button>", ['button "Go"']],
    ["<button><i onclick='1'>Go</i></button>", ['button "Go"', 'generic "Go"']],
    ["<a>no address</a>", []],
    ["<div tabindex=-1>not reached</div>", []],
    ["<input type=hidden>", []],
    ["<input aria-label=Far style='position:absolute;left:-900px'>", []],
    ["<a href='/x'>A <button>B</button></a>", ['link "A B"', 'button "B"']],
  ])("of %s is told for what can be used only", async (markup, controls) => {
    expect(await controlsOf(markup)).toEqual(controls);
  });

  it("stands for a checkbox that the page drew anew", async () => {
    const hidden = "<input type=checkbox id=c checked style='display:none'>";
    const [label] = (await elementsOf(`${hidden}<label for=c>Agree</label>`)).filter(
      ([, tag]) => tag === "label",
    );
    expect(label?.[2]).toBe("checkbox");
    expect(label?.[7]).toEqual({ checked: "true" });
  });
});

describe("structure", () => {
  it.each([
    ["<h2>Title</h2>", "h2 heading"],
    ["<p>Text</p>", "p paragraph"],
    ["<nav>Text</nav>", "nav navigation"],
    ["<main>Text</main>", "main main"],
    ["<ul><li>Text</ul>", "ul list, li listitem"],
    ["<table><tr><th>A<td>1</table>", "table table, tr row, th columnheader, td cell"],
    ["<table role=presentation><tr><td>1</table>", "tr "],
    ["<section aria-label=News>Text</section>", "section region"],
    ["<section>Text</section>", "section "],
    ["<div role=dialog>Text</div>", "div dialog"],
    ["<div><div><div>Text</div></div></div>", "div "],
    ["<ul><li></li></ul>", ""],
    ["<img alt='' src='data:,' width=9 height=9>", ""],
  ])("of %s is %j", async (markup, structure) => {
    const told = (await elementsOf(markup)).filter(([, tag]) => tag !== "body");
    expect(told.map(([, tag, role]) => `${tag} ${role}`).join(", ")).toBe(structure);
  });

  it.each([
    ["<label>Amount<x-field></x-field></label>", "Amount"],
    [
      "<div role=tree><div role=treeitem>Docs<div role=group><p role=none>(empty)</p></div></div></div>",
      "Docs|(empty)",
    ],
    ["<div role=menuitem>File<div role=menu>Nothing yet</div></div>", "File|Nothing yet"],
    ["<img title='Sales chart' src='data:,' width=9 height=9>", "Sales chart"],
    ["<img title='Sales chart' alt='' src='data:,' width=9 height=9>", ""],
    ["<p><ruby>漢<rt>kan</rt></ruby></p>", "漢kan"],
    ["<input style='position:absolute;left:-9999px' id=f><label for=f>Name</label>", "Name"],
  ])("leaves nothing out that can be read: %s", async (markup, words) => {
    expect(await wordsOf(markup)).toBe(words);
  });

  it("names a picture by its alternative text", async () => {
    expect(await wordsOf("<img alt='A boat' src='data:,' width=9 height=9>")).toBe("A boat");
  });

  it("says the text of a label, a button and a legend once", async () => {
    const markup =
      "<fieldset><legend>You</legend><label>Name <input></label><button>Go</button></fieldset>";
    expect((await wordsOf(markup)).match(/You|Name|Go/g)).toEqual(["You", "Name", "Go"]);
  });
});
