//! What an action is pointed at: by ref, by selector or at a point, and never
//! at something else.

use outrigger_testkit::{Kit, Pages, reference};
use serde_json::json;

/// Buttons that write what was clicked into the title.
const BUTTONS: &str = r#"<!doctype html><title>B</title><body style="margin:0">
<button id="one" style="position:absolute;left:20px;top:20px;width:100px;height:40px">One</button>
<button class="twin" style="position:absolute;left:20px;top:80px;width:100px;height:40px">Twin A</button>
<button class="twin" style="position:absolute;left:20px;top:140px;width:100px;height:40px">Twin B</button>
<button id="shy" style="display:none">Shy</button><label>Name <input></label>
<p id="said">none</p>
<script>document.addEventListener('click', (event) => {
    document.getElementById('said').textContent = 'said ' + event.target.textContent + ' ' + event.isTrusted })</script>"#;

#[tokio::test]
async fn a_selector_means_the_one_element_that_can_be_seen() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", BUTTONS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    for selector in ["#one", "text=\"One\"", "role=button[name=One]", "//button[@id='one']"] {
        let said = client.ok("browser_click", json!({"selector": selector})).await;
        assert!(said.starts_with("Clicked e"), "{said}");
    }
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("said One true"), "{seen}");
    let said = client.refused("browser_click", json!({"selector": ".twin"}), "ambiguous").await;
    assert!(said.contains("2 elements match"), "{said}");
    let twin = reference(&seen, "Twin B");
    assert!(said.contains(&format!("{twin} button \"Twin B\"")), "it names the refs: {said}");
    client.refused("browser_click", json!({"selector": "#shy"}), "hidden").await;
    client.refused("browser_click", json!({"selector": "#nobody"}), "not_found").await;
    client.refused("browser_click", json!({"selector": "[["}), "invalid_arguments").await;
    client.ok("browser_click", json!({"selector": twin})).await;
    client.ok("browser_type", json!({"selector": "input", "text": "Ada"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("said Twin B") && seen.contains("value=\"Ada\""), "{seen}");
}

#[tokio::test]
async fn a_point_is_what_is_there_and_the_reply_says_what() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", BUTTONS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_click", json!({"x": 70, "y": 100})).await;
    assert!(said.contains("button \"Twin A\"") && said.contains("said Twin A true"), "{said}");
    let said = client.refused("browser_click", json!({"x": 70, "y": 100_000}), "not_found").await;
    assert!(said.contains("viewport"), "{said}");
}

#[tokio::test]
async fn a_target_is_said_in_exactly_one_way() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", BUTTONS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    for wrong in [json!({}), json!({"ref": "e1", "selector": "#one"}), json!({"x": 1})] {
        let said = client.refused("browser_click", wrong, "invalid_arguments").await;
        assert!(said.contains("Say it in one way: `ref`"), "{said}");
    }
    client.refused("browser_click", json!({"rfe": "e1"}), "invalid_arguments").await;
}

#[tokio::test]
async fn what_is_only_in_a_frame_of_another_site_is_told_by_its_ref() {
    let outer = r#"<!doctype html><title>O</title><body style="margin:0"><iframe src="ELSEWHERE/inner" style="border:0;width:400px;height:300px"></iframe>"#;
    let inner = "<!doctype html><title>I</title><button id=there>There</button>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", outer), ("/inner", inner)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let there = reference(&seen, "There");
    let said = client.refused("browser_click", json!({"selector": "#there"}), "not_found").await;
    assert!(said.contains("another site") && said.contains(&there), "{said}");
    client.refused("browser_click", json!({"x": 20, "y": 20}), "not_allowed").await;
}

/// Tells of every mouse event in the page.
const EVENTS: &str = r#"<!doctype html><title>E</title>
<button id="b" style="width:200px;height:60px">Press</button><ol id="log"></ol>
<script>for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick', 'mouseover'])
    document.getElementById('b').addEventListener(type, (event) => {
        const item = document.createElement('li');
        item.textContent = `${type} ${event.button} ${event.detail} ${event.shiftKey ? 'shift' : ''}${event.altKey ? 'alt' : ''}`;
        document.getElementById('log').append(item);
        event.preventDefault(); })</script>"#;

#[tokio::test]
async fn a_click_has_a_button_a_count_and_modifiers() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", EVENTS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_hover", json!({"selector": "#b"})).await;
    assert!(said.contains("mouseover 0"), "{said}");
    let said = client.ok("browser_click", json!({"selector": "#b", "count": 2})).await;
    assert!(said.starts_with("Double-clicked") && said.contains("dblclick 0 2"), "{said}");
    let said = client.ok("browser_click", json!({"selector": "#b", "button": "right"})).await;
    assert!(said.contains("contextmenu 2"), "{said}");
    let said = client.ok("browser_click", json!({"selector": "#b", "button": "middle"})).await;
    assert!(said.contains("auxclick 1"), "{said}");
    let held = json!({"selector": "#b", "modifiers": ["Shift", "Alt"]});
    let said = client.ok("browser_click", held).await;
    assert!(said.contains("click 0 1 shiftalt"), "{said}");
    client
        .refused("browser_click", json!({"selector": "#b", "count": 9}), "invalid_arguments")
        .await;
}

#[tokio::test]
async fn a_key_goes_to_the_element_that_is_meant() {
    let page = r#"<!doctype html><title>K</title><input aria-label="First" autofocus><input aria-label="Second">
        <ul role="listbox" tabindex="0" aria-label="Fruit" onkeydown="document.title = 'pressed ' + event.key"><li role="option">Pear</li></ul>
        <p id="plain">Plain</p>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let second = reference(&seen, "Second");
    client.ok("browser_press_key", json!({"ref": second, "key": "x"})).await;
    client.ok("browser_press_key", json!({"selector": "role=listbox", "key": "ArrowDown"})).await;
    client
        .refused("browser_press_key", json!({"selector": "#plain", "key": "a"}), "not_editable")
        .await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(
        seen.contains("\"Second\" value=\"x\"") && seen.contains("pressed ArrowDown"),
        "{seen}"
    );
}

#[tokio::test]
async fn scrolling_tells_where_it_is_and_whether_there_is_more() {
    let rows: String = (0..200).map(|n| format!("<p style='height:20px'>Row {n}</p>")).collect();
    let items: String = (0..50).map(|n| format!("<li style='height:20px'>Item {n}</li>")).collect();
    let page = format!(
        "<!doctype html><title>S</title><ul style='height:100px;overflow:auto;margin:0'>{items}</ul>{rows}<b>The end</b>"
    );
    let (_kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let said = client.ok("browser_scroll", json!({"by": {"y": 300}})).await;
    assert!(said.contains("The page is at 300 of") && said.contains("above and below"), "{said}");
    let said = client.ok("browser_scroll", json!({"to": "bottom"})).await;
    assert!(said.contains("more above."), "{said}");
    let said = client.ok("browser_scroll", json!({"to": "bottom"})).await;
    assert!(said.starts_with("Nothing moved."), "{said}");
    let said = client.ok("browser_scroll", json!({"text": "Row 150"})).await;
    assert!(said.contains("is in view"), "{said}");
    let seen = client.ok("browser_snapshot", json!({"scope": "viewport"})).await;
    assert!(seen.contains("Row 150") && !seen.contains("Row 1\n"), "{seen}");
    let said =
        client.ok("browser_scroll", json!({"selector": "text=\"Item 2\"", "by": {"y": 40}})).await;
    assert!(said.contains("The box is at 40 of"), "{said}");
    let said = client.ok("browser_scroll", json!({"selector": "b"})).await;
    assert!(said.contains("is in view"), "{said}");
    client.refused("browser_scroll", json!({"text": "Row 999"}), "not_found").await;
    client
        .refused("browser_scroll", json!({"to": "top", "by": {"y": 1}}), "invalid_arguments")
        .await;
    client.refused("browser_scroll", json!({}), "invalid_arguments").await;
}

#[tokio::test]
async fn a_page_that_scrolls_in_a_box_is_scrolled_there() {
    let page = "<!doctype html><title>S</title><body style='margin:0'><main style='height:100vh;overflow:auto'><p style='height:5000px'>Long</p></main>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let said = client.ok("browser_scroll", json!({"by": {"y": 500}})).await;
    assert!(said.contains("The box is at 500 of"), "{said}");
}

/// A card that the browser drags, and one that follows the pointer.
const CARDS: &str = r#"<!doctype html><title>C</title><body style="margin:0">
<div id="card" draggable="true" style="position:absolute;left:10px;top:10px;width:80px;height:40px;background:#cef">Card</div>
<div id="bin" style="position:absolute;left:300px;top:10px;width:120px;height:80px;background:#efe">Bin</div>
<div id="wall" style="position:absolute;left:300px;top:200px;width:120px;height:80px;background:#fee">Wall</div>
<div id="knob" style="position:absolute;left:10px;top:120px;width:40px;height:40px;background:#fec">Knob</div>
<p id="said" style="position:absolute;top:320px">nothing yet</p>
<script>
const say = (text) => { document.getElementById('said').textContent = text };
card.ondragstart = (event) => event.dataTransfer.setData('text/plain', 'the card');
bin.ondragover = (event) => event.preventDefault();
bin.ondrop = (event) => { event.preventDefault(); say('bin got ' + event.dataTransfer.getData('text/plain')); };
card.ondragend = (event) => { card.textContent = 'Card dragged ' + event.dataTransfer.dropEffect };
knob.onpointerdown = (event) => { knob.setPointerCapture(event.pointerId); knob.held = true };
knob.onpointermove = (event) => { if (knob.held) knob.style.left = event.clientX - 20 + 'px' };
knob.onpointerup = (event) => { knob.held = false; say('knob at ' + Math.round(event.clientX)) };
</script>"#;

#[tokio::test]
async fn things_are_dragged_in_the_pages_own_way_and_in_the_browsers() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", CARDS)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_drag", json!({"from": "#card", "to": "#bin"})).await;
    assert!(said.contains("bin got the card"), "{said}");
    let said = client.ok("browser_drag", json!({"from": "#card", "to": "#wall"})).await;
    assert!(said.contains("Nothing there took it"), "{said}");
    let said = client.ok("browser_drag", json!({"from": "#knob", "by": {"x": 150}})).await;
    assert!(said.contains("knob at 180"), "{said}");
    let said = client.ok("browser_drag", json!({"from": "#knob", "to": {"x": 60, "y": 140}})).await;
    assert!(said.contains("knob at 60"), "{said}");
    client.refused("browser_drag", json!({"from": "#knob"}), "invalid_arguments").await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("Card dragged"), "the source is told of the end: {seen}");
}

#[tokio::test]
async fn a_drag_that_only_moves_something_is_told_as_done() {
    let page = r#"<!doctype html><title>S</title><div id="bar" tabindex="0" role="separator" aria-label="Splitter"
        style="position:absolute;left:100px;top:50px;width:10px;height:200px;background:#ddd"></div>
        <script>let held = false;
        bar.onpointerdown = (event) => { held = true; bar.setPointerCapture(event.pointerId) };
        bar.onpointermove = (event) => { if (held) bar.style.left = event.clientX - 5 + 'px' };
        bar.onpointerup = () => { held = false }</script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    let said = client.ok("browser_drag", json!({"from": "#bar", "by": {"x": 80}})).await;
    assert!(said.contains("Dragged") && !said.contains("came of it"), "{said}");
    let boxes = client.ok("browser_snapshot", json!({"boxes": true})).await;
    assert!(boxes.contains("@180,50,"), "{boxes}");
}

/// The frame runs in a process of its own, to which the browser tells each part of a drag.
#[tokio::test]
async fn what_is_dragged_from_one_site_is_dropped_on_another() {
    const PARTS: &str = r#"<style>div { width: 120px; height: 40px; background: #ddd }</style>
        <div draggable="true" tabindex="0" role="button" ondragstart="event.dataTransfer.setData('text/plain', 'WHOSE card')">WHOSE card</div>
        <div tabindex="0" role="button" ondragover="event.preventDefault()"
          ondrop="event.preventDefault(); top.postMessage('WHOSE bin got ' + event.dataTransfer.getData('text/plain'), '*')">WHOSE bin</div>
        <div tabindex="0" role="button" onclick="top.postMessage('WHOSE clicked', '*')">WHOSE button</div>"#;
    let inner = format!("<!doctype html>{}", PARTS.replace("WHOSE", "inner"));
    let inner = Pages::serve(&[("/", &inner)]).await;
    let page = format!(
        "<!doctype html><title>D</title>{}<iframe src='{}' height=200></iframe><p id=o>nothing</p>
        <script>onmessage = ({{ data }}) => {{ o.textContent = data }}</script>",
        PARTS.replace("WHOSE", "outer"),
        inner.elsewhere("/")
    );
    let (_kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    for (from, to) in
        [("outer", "inner"), ("inner", "outer"), ("inner", "inner"), ("outer", "outer")].repeat(2)
    {
        let [card, bin, button] = [(from, "card"), (to, "bin"), (from, "button")]
            .map(|(whose, what)| reference(&seen, &format!("{whose} {what}")));
        let said = client.ok("browser_drag", json!({"from": card, "to": bin})).await;
        assert_eq!(said.contains("another site"), from != to, "{said}");
        let came = json!({"text": format!("{to} bin got {from} card")});
        client.ok("browser_wait", came).await;
        // Presses arrive as before.
        client.ok("browser_click", json!({"ref": button})).await;
        client.ok("browser_wait", json!({"text": format!("{from} clicked")})).await;
    }
}

/// A tab behind another one draws about once a second once it is at rest, and a
/// page hears of a move of the mouse with the next frame.
#[tokio::test]
async fn a_drag_in_a_tab_behind_does_not_wait_for_a_frame_at_each_move() {
    let (kit, pages, client) = Kit::with_browser(&[("/", CARDS)]).await;
    let _front = kit.page_in_front(&pages.url("/")).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    client.ok("browser_snapshot", json!({})).await;
    for place in [60, 180, 60] {
        let drag = json!({"from": "#knob", "to": {"x": place, "y": 140}, "timeoutMs": 7000});
        let said = client.ok("browser_drag", drag).await;
        assert!(said.contains(&format!("knob at {place}")), "{said}");
    }
}
