//! Everything that hands can do beside clicking and typing, done once in a page
//! that tells of each, for tests of the circumstances that must not matter.

use outrigger_testkit::{McpClient, reference};
use serde_json::{Value, json};

/// Something for every hand. What happened is told below it, one line each.
pub(crate) const PAGE: &str = r#"<!doctype html><title>Hands</title><body style="margin:0;padding-top:700px">
<style>div, ol { position: absolute } #card, #bin, #knob, #near { width: 90px; height: 40px; background: #cef }</style>
<div id="near" style="left:10px;top:10px">Near</div>
<div id="card" draggable="true" style="left:10px;top:70px">Card</div>
<div id="bin" style="left:300px;top:70px">Bin</div>
<div id="knob" style="left:10px;top:130px">Knob</div>
<div style="left:10px;top:190px;width:200px;height:60px;overflow:auto" tabindex="0"><p style="margin:0;height:900px">Long</p>Deep</div>
<form style="position:absolute;top:270px" onsubmit="event.preventDefault(); tell('sent')">
  <label>Tea <select name="tea"><option>Green<option>Black</select></label>
  <ul role="listbox" aria-label="Cup"><li role="option" aria-selected="false">Small</li><li role="option" aria-selected="false">Large</li></ul>
  <label>Name <input name="name"></label> <label><input type="checkbox" name="milk">Milk</label>
  <label><input type="radio" name="when" value="now">Now</label> <label><input type="radio" name="when" value="later">Later</label>
  <label>Day <input type="date" name="day"></label> <label>Sugar <input type="range" name="sugar" max="9"></label>
  <label>Note <textarea name="note"></textarea></label> <div contenteditable role="textbox" aria-label="Rich" style="position:static;width:200px;border:1px solid">x</div>
  <label>Leaf <input type="file" name="leaf"></label> <button>Send</button>
</form>
<ol id="told" style="left:600px;top:10px"></ol>
<script>
const tell = (what) => { const line = document.createElement('li'); line.textContent = what; told.append(line) };
near.onmouseenter = () => tell('near is hovered');
card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'the card');
bin.ondragover = (event) => event.preventDefault();
bin.ondrop = (event) => { event.preventDefault(); tell('bin got ' + event.dataTransfer.getData('text/plain')) };
let held = false;
knob.onpointerdown = () => { held = true };
onpointermove = (event) => { if (held) knob.style.left = event.clientX - 45 + 'px' };
onpointerup = () => { if (held) tell('knob at ' + parseInt(knob.style.left)); held = false };
document.querySelector('[tabindex]').onscroll = (event) => { if (event.target.scrollTop > 800) tell('scrolled down') };
const form = document.forms[0];
form.tea.onchange = () => tell('tea ' + form.tea.value);
for (const option of document.querySelectorAll('[role=option]')) option.onclick = () => {
  for (const one of document.querySelectorAll('[role=option]')) one.setAttribute('aria-selected', one === option);
  tell('cup ' + option.textContent) };
form.onchange = ({ target }) => { if (target.name !== 'tea' && target.name !== 'leaf') tell(target.name + ' ' + (target.type === 'checkbox' ? target.checked : target.value)) };
document.querySelector('[contenteditable]').oninput = (event) => tell('rich ' + event.target.innerText);
form.leaf.onchange = async () => tell('leaf ' + form.leaf.files[0].name + ' ' + await form.leaf.files[0].text());
</script>"#;

/// What the page tells once every hand has done its work.
const TOLD: &[&str] = &[
    "near is hovered",
    "bin got the card",
    "knob at 160",
    "scrolled down",
    "tea Black",
    "cup Large",
    "name Ada",
    "milk true",
    "when later",
    "day 2026-01-31",
    "sugar 7",
    "rich Hello",
    "note Two",
    "leaf tea.txt green",
    "sent",
];

/// Uses every hand in the session's tab, where the page is. Gives what the tools
/// said, by what they were asked for.
pub(crate) async fn use_every_hand(
    client: &McpClient,
    upload: &Value,
) -> Vec<(&'static str, String)> {
    let seen = client.ok("browser_snapshot", json!({})).await;
    let named = |name: &str| reference(&seen, name);
    let calls = [
        ("hover", "browser_hover", json!({"selector": "#near"})),
        ("drop", "browser_drag", json!({"from": "#card", "to": "#bin"})),
        ("pull", "browser_drag", json!({"from": "#knob", "by": {"x": 150}})),
        ("scroll", "browser_scroll", json!({"selector": "text=\"Long\"", "to": "bottom"})),
        ("select", "browser_select_option", json!({"ref": named("Tea"), "values": ["Black"]})),
        (
            "choose",
            "browser_select_option",
            json!({"selector": "role=listbox", "values": ["Large"]}),
        ),
        ("upload", "browser_upload", json!({"ref": named("Leaf"), "files": [upload]})),
        (
            "fill",
            "browser_fill_form",
            json!({"fields": [
                {"ref": named("Name"), "value": "Ada"}, {"ref": named("Milk"), "value": true},
                {"ref": named("Later"), "value": "Later"}, {"ref": named("Day"), "value": "2026-01-31"},
                {"ref": named("Sugar"), "value": "7"}, {"ref": named("Rich"), "value": "Hello"},
                {"ref": named("Note"), "value": "Two"},
            ], "submit": true}),
        ),
    ];
    let mut said = Vec::new();
    for (what, tool, arguments) in calls {
        said.push((what, client.ok(tool, arguments).await));
    }
    for line in TOLD {
        let answer = client.call("browser_wait", json!({"text": line, "timeoutMs": 5000})).await;
        let seen = client.ok("browser_snapshot", json!({})).await;
        assert!(!answer.failed, "not told: {line}\n{seen}");
    }
    said
}
