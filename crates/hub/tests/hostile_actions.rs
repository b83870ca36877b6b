//! Pages that are out to have something else clicked than was meant. The right
//! thing happens, or a clear code comes back; never the wrong element.

use std::time::{Duration, Instant};

use outrigger_testkit::{Answer, Kit, McpClient, Pages, reference};
use serde_json::json;

/// Whatever is clicked writes itself down; `Trap` must never be among it.
const LEDGER: &str = r#"<p id="ledger">ledger:</p><script>
addEventListener('click', (event) => {
    document.getElementById('ledger').textContent += ' ' + (event.target.id || event.target.localName) + (event.isTrusted ? '' : '?') });
</script>"#;

async fn open(body: &str) -> (Kit, Pages, McpClient, String) {
    let page = format!("<!doctype html><title>H</title><body style='margin:0'>{body}{LEDGER}");
    let (kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/"), "wait": "dom"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    (kit, pages, client, seen)
}

async fn ledger(client: &McpClient) -> String {
    let seen = client.ok("browser_snapshot", json!({})).await;
    let line = seen.lines().find(|line| line.contains("ledger:"));
    line.unwrap_or_else(|| panic!("{seen}")).to_owned()
}

async fn click(client: &McpClient, seen: &str, name: &str) -> Answer {
    client.call("browser_click", json!({"ref": reference(seen, name)})).await
}

#[tokio::test]
async fn a_button_that_runs_away_as_the_mouse_comes_is_not_traded_for_another() {
    let (_kit, _pages, client, seen) = open(
        r#"<button id="good" style="position:absolute;left:50px;top:50px;width:90px;height:30px">Good</button>
        <button id="trap" style="position:absolute;left:50px;top:250px;width:90px;height:30px">Trap</button>
        <p style="height:300px"></p><script>addEventListener('pointermove', () => {
            good.style.top = '250px'; trap.style.top = '50px' }, true)</script>"#,
    )
    .await;
    let answer = click(&client, &seen, "Good").await;
    // It is followed to where it ran, or given up; the other one gets nothing.
    let got = if answer.failed { "ledger:" } else { "ledger: good" };
    assert!(!answer.failed || answer.code.as_deref() == Some("moved"), "{}", answer.text);
    assert_eq!(ledger(&client).await, got);
}

#[tokio::test]
async fn a_button_that_trades_places_every_time_is_never_pressed_for_another() {
    let (_kit, _pages, client, seen) = open(
        r#"<button id="good" style="position:absolute;left:50px;top:50px;width:90px;height:30px">Good</button>
        <button id="trap" style="position:absolute;left:50px;top:250px;width:90px;height:30px">Trap</button>
        <p style="height:300px"></p><script>addEventListener('pointermove', () => {
            [good.style.top, trap.style.top] = [trap.style.top, good.style.top] }, true)</script>"#,
    )
    .await;
    let answer = click(&client, &seen, "Good").await;
    assert_eq!(answer.code.as_deref(), Some("moved"), "{}", answer.text);
    assert_eq!(ledger(&client).await, "ledger:");
}

#[tokio::test]
async fn a_button_that_leaves_under_the_press_leaves_no_click_to_what_holds_it() {
    let (_kit, _pages, client, seen) = open(
        r#"<div id="trap" style="height:60px" onclick="opened.textContent = 'card opened'">A card
        <button id="good" style="position:absolute;left:0;top:0;width:90px;height:30px">Good</button></div>
        <p id="opened">nothing yet</p><script>good.addEventListener('mousedown', () => { good.style.left = '200px' })</script>"#,
    )
    .await;
    let answer = click(&client, &seen, "Good").await;
    assert!(answer.text.contains("it got no click"), "{}", answer.text);
    assert_eq!(ledger(&client).await, "ledger:");
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("nothing yet"), "{seen}");
}

#[tokio::test]
async fn a_button_that_never_stands_still_is_hit_or_refused() {
    let (_kit, _pages, client, seen) = open(
        r#"<button id="good" style="position:absolute;left:0;top:50px;width:30px;height:30px">Good</button>
        <p style="height:100px"></p><script>let n = 0; setInterval(() => { n = (n + 37) % 400; good.style.left = n + 'px' }, 4)</script>"#,
    )
    .await;
    let mut hits = 0;
    for _ in 0..5 {
        let answer = click(&client, &seen, "Good").await;
        // It may leave between the two halves of a press, too: told, and no click.
        let is_half = answer.text.contains("it got no click");
        let is_clear = !answer.failed || answer.code.as_deref() == Some("moved");
        assert!(is_clear, "{:?} {}", answer.code, answer.text);
        hits += usize::from(!answer.failed && !is_half);
    }
    let ledger = ledger(&client).await;
    assert_eq!(ledger.matches(" good").count(), hits, "a click is told if there was one: {ledger}");
    assert!(!ledger.contains("body") && !ledger.contains("html"), "{ledger}");
}

#[tokio::test]
async fn a_transparent_cover_is_not_clicked_through_to() {
    let (_kit, _pages, client, seen) = open(
        r#"<button id="good">Good</button><div id="trap" style="position:fixed;inset:0;opacity:0"></div>"#,
    )
    .await;
    let answer = click(&client, &seen, "Good").await;
    assert_eq!(answer.code.as_deref(), Some("covered"), "{}", answer.text);
    assert_eq!(ledger(&client).await, "ledger:");
}

#[tokio::test]
async fn a_button_with_another_label_than_was_read_is_not_clicked() {
    let (_kit, _pages, client, seen) = open(r#"<button id="good">Keep my account</button>
        <button id="tick">Resend in 30 s</button>
        <script>setTimeout(() => { good.textContent = 'Delete my account'; tick.textContent = 'Resend in 7 s' }, 300)</script>"#).await;
    client.ok("browser_wait", json!({"text": "Delete my account"})).await;
    let answer = click(&client, &seen, "Keep my account").await;
    assert_eq!(answer.code.as_deref(), Some("changed"), "{}", answer.text);
    assert!(answer.text.contains("Delete my account"), "{}", answer.text);
    let answer = click(&client, &seen, "Resend in 30 s").await;
    assert!(!answer.failed, "a clock in a label is no other label: {}", answer.text);
    let answer = click(&client, &seen, "Keep my account").await;
    assert!(!answer.failed, "once told, it may be meant: {}", answer.text);
    assert_eq!(ledger(&client).await, "ledger: tick good");
}

#[tokio::test]
async fn a_look_that_tells_nothing_of_a_button_does_not_have_its_new_label_read() {
    for (tool, arguments) in [
        ("browser_find", json!({"query": "price"})),
        ("browser_screenshot", json!({"annotate": true})),
        ("browser_get_filtered_aria_tree", json!({"roles": ["paragraph"]})),
        ("browser_get_visible_text", json!({"max_tokens": 20})),
    ] {
        let (_kit, _pages, client, seen) =
            open(r#"<button id="good">Keep my account</button><p>The price</p>"#).await;
        let relabel = "() => { good.textContent = 'Delete my account' }";
        client.ok("browser_evaluate", json!({"function": relabel})).await;
        client.ok(tool, arguments).await;
        let answer = click(&client, &seen, "Keep my account").await;
        assert_eq!(answer.code.as_deref(), Some("changed"), "after {tool}: {}", answer.text);
        assert_eq!(ledger(&client).await, "ledger:", "after {tool}");
    }
}

#[tokio::test]
async fn a_new_label_among_more_changes_than_are_told_is_not_read_either() {
    let words: String = (0..200).map(|n| format!("<p>Paragraph {n}")).collect();
    let buttons: String =
        (0..90).map(|n| format!("<button class=one>Keep the account of person {n}")).collect();
    let (_kit, _pages, client, seen) = open(&format!(
        r#"<button id="swap" onclick="document.querySelectorAll('.one').forEach((one) => {{
            one.textContent = one.textContent.replace('Keep', 'Delete') }})">Swap</button>
        {buttons}<button id="last" class="one">Keep my account</button>{words}"#
    ))
    .await;
    assert!(seen.contains("Swap"), "{seen}");
    let found = client.ok("browser_find", json!({"query": "Keep my account"})).await;
    let last = reference(&found, "Keep my account");
    let said = client.ok("browser_click", json!({"selector": "#swap"})).await;
    assert!(said.contains("more lines") && !said.contains("Delete my account"), "{said}");
    let answer = client.call("browser_click", json!({"ref": last})).await;
    assert_eq!(answer.code.as_deref(), Some("changed"), "{}", answer.text);
    let answer = client.call("browser_click", json!({"ref": last})).await;
    assert!(!answer.failed, "once told, it may be meant: {}", answer.text);
}

#[tokio::test]
async fn a_new_label_that_was_told_is_pressed_whatever_was_left_out_before() {
    let rows: String = (0..200).map(|n| format!("<p class=row>Row {n} of the old ones")).collect();
    let more: String = (0..200).map(|n| format!("<p>Paragraph {n}")).collect();
    let (_kit, _pages, client, _) = open(&format!(
        r#"<button id="next" onclick="this.textContent = 'Go to ' + ['May', 'June', 'July', 'August'][turn++]">Go to April</button>
        <button id="swap" onclick="document.querySelectorAll('.row, #last').forEach((one) => {{
            one.textContent = one.textContent.replace('old', 'new').replace('Keep', 'Delete') }})">Swap</button>
        {rows}</p><button id="last">Keep it</button>{more}<script>let turn = 0</script>"#
    ))
    .await;
    let seen = client.ok("browser_snapshot", json!({"max_tokens": 100_000})).await;
    let [next, last] = ["Go to April", "Keep it"].map(|name| reference(&seen, name));
    let said = client.ok("browser_click", json!({"selector": "#swap"})).await;
    assert!(said.contains("more lines") && !said.contains("Delete it"), "{said}");
    for month in ["May", "June", "July"] {
        let said = client.ok("browser_click", json!({"ref": next})).await;
        assert!(said.contains(&format!("Go to {month}")), "{said}");
    }
    let refused = client.refused("browser_click", json!({"ref": last}), "changed").await;
    assert!(refused.contains("Delete it"), "{refused}");
    client.ok("browser_click", json!({"ref": last})).await;
}

#[tokio::test]
async fn a_label_that_a_search_or_a_list_of_controls_told_is_pressed() {
    for (look, arguments) in [
        ("browser_find", json!({"query": "Following"})),
        ("browser_get_filtered_aria_tree", json!({"interactive_only": true})),
    ] {
        let (_kit, _pages, client, seen) = open(
            r#"<button id="one">Follow</button><script>
            const isThere = () => setTimeout(() => { one.textContent = 'Following' }, 300);
            addEventListener('pointermove', isThere, { once: true })</script><p id="other">Other</p>"#,
        )
        .await;
        let one = reference(&seen, "Follow");
        client.ok("browser_hover", json!({"selector": "#other"})).await;
        client.ok("browser_wait", json!({"text": "Following"})).await;
        let told = client.ok(look, arguments).await;
        assert!(told.contains("Following"), "{told}");
        client.ok("browser_click", json!({"ref": one})).await;
    }
}

#[tokio::test]
async fn what_changed_before_a_search_is_still_told_after_the_next_action() {
    let (_kit, _pages, client, _) =
        open(r#"<button id="good">Good</button><p>The price</p><p id="news">Old news</p>"#).await;
    let renew = "() => { news.textContent = 'Fresh news' }";
    client.ok("browser_evaluate", json!({"function": renew})).await;
    client.ok("browser_find", json!({"query": "price"})).await;
    let said = client.ok("browser_click", json!({"selector": "#good"})).await;
    assert!(said.contains("Fresh news"), "{said}");
}

#[tokio::test]
async fn a_look_alike_in_the_place_of_an_element_is_not_that_element() {
    let (_kit, _pages, client, seen) = open(
        r#"<button id="good">Good</button><button id="swap" onclick="const trap = good.cloneNode(true);
            trap.id = 'trap'; good.replaceWith(trap)">Swap</button>"#,
    )
    .await;
    client.ok("browser_click", json!({"selector": "#swap"})).await;
    let answer = click(&client, &seen, "Good").await;
    assert_eq!(answer.code.as_deref(), Some("stale_ref"), "{}", answer.text);
    assert_eq!(ledger(&client).await, "ledger: swap");
}

#[tokio::test]
async fn another_site_under_the_same_ref_is_not_clicked() {
    let first = r#"<!doctype html><title>A</title><button>Good</button><script>setTimeout(() => location.href = 'ELSEWHERE/other', 300)</script>"#;
    let other = format!("<!doctype html><title>B</title><button id=trap>Good</button>{LEDGER}");
    let (_kit, pages, client) = Kit::with_browser(&[("/", first), ("/other", &other)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_wait", json!({"url": "/other"})).await;
    let answer = click(&client, &seen, "Good").await;
    let code = answer.code.as_deref();
    assert!(matches!(code, Some("stale_ref" | "origin_changed")), "{code:?} {}", answer.text);
    assert_eq!(ledger(&client).await, "ledger:");
}

#[tokio::test]
async fn pages_that_never_rest_are_answered_in_time() {
    // After an input Chrome itself slows the first two down.
    for busy in [
        "setInterval(() => { document.getElementById('n').textContent = Math.random() }, 1)",
        "const again = () => setTimeout(() => { document.getElementById('n').textContent = Math.random(); again() }); again()",
        "const c = new MessageChannel(); c.port1.onmessage = () => { document.getElementById('n').textContent = Math.random(); c.port2.postMessage(0) }; c.port2.postMessage(0)",
    ] {
        let body = format!("<button id='good'>Good</button><b id='n'></b><script>{busy}</script>");
        let (_kit, _pages, client, seen) = open(&body).await;
        let began = Instant::now();
        let answer = click(&client, &seen, "Good").await;
        assert!(!answer.failed, "{busy}: {}", answer.text);
        let is_unsettled = answer.text.contains("unsettled");
        assert!(
            is_unsettled || busy.contains("Timeout") || busy.contains("Interval"),
            "{busy}: {}",
            answer.text
        );
        assert!(began.elapsed() < Duration::from_secs(12), "{busy}: {:?}", began.elapsed());
        assert!(ledger(&client).await.ends_with(" good"), "{busy}");
    }
}

#[tokio::test]
async fn a_storm_of_alerts_and_a_page_that_holds_on_are_told_for_what_they_are() {
    let (_kit, pages, client, seen) = open(
        r#"<button id="good" onclick="for (let n = 0; n < 3; n += 1) alert('Storm ' + n)">Good</button>
        <script>addEventListener('beforeunload', (event) => event.preventDefault())</script>"#,
    )
    .await;
    let answer = click(&client, &seen, "Good").await;
    assert_eq!(answer.code.as_deref(), Some("dialog_open"), "{}", answer.text);
    assert!(answer.text.contains("Storm 0"), "{}", answer.text);
    for _ in 0..3 {
        let answer = client.call("browser_press_key", json!({"key": "Enter"})).await;
        let is_clear = !answer.failed || answer.code.as_deref() == Some("dialog_open");
        assert!(is_clear, "{:?} {}", answer.code, answer.text);
    }
    assert_eq!(ledger(&client).await, "ledger: good");
    let said = client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    assert!(said.contains("H"), "{said}");
}

#[tokio::test]
async fn a_page_that_takes_no_synthetic_events_takes_ours() {
    let (_kit, _pages, client, seen) = open(
        r#"<button id="good">Good</button><input id="field" aria-label="Field"><p id="fakes">fakes:</p><script>
        for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown', 'input', 'focus'])
            addEventListener(type, (event) => { if (!event.isTrusted) fakes.textContent += ' ' + type }, true)</script>"#,
    )
    .await;
    click(&client, &seen, "Good").await;
    client.ok("browser_press_key", json!({"selector": "#field", "key": "x"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.lines().any(|line| line.trim() == "fakes:"), "{seen}");
    assert!(seen.contains("ledger: good"), "{seen}");
}

#[tokio::test]
async fn one_of_ten_thousand_links_of_one_name_is_the_one_that_is_meant() {
    let links: String = (0..10_000).map(|n| format!("<a id=l{n} href='#{n}'>Same</a> ")).collect();
    let (_kit, _pages, client, _) = open(&links).await;
    let said = client.refused("browser_click", json!({"selector": "text=Same"}), "ambiguous").await;
    assert!(said.contains("10000 elements match") && said.len() < 1500, "{said}");
    let found = client.ok("browser_query_dom", json!({"selector": "#l7777"})).await;
    let wanted = found
        .split_whitespace()
        .find(|word| word.strip_prefix('e').is_some_and(|digits| digits.parse::<u32>().is_ok()));
    client.ok("browser_click", json!({"ref": wanted.unwrap()})).await;
    let seen = client.ok("browser_find", json!({"query": "ledger:"})).await;
    assert!(seen.contains("ledger: l7777"), "{seen}");
}

#[tokio::test]
async fn a_frame_that_is_pushed_under_the_pointer_gets_no_press() {
    let page = r#"<!doctype html><title>H</title><body style="margin:0"><button id="good" style="position:absolute;left:50px;top:50px;width:90px;height:30px">Good</button>
        <iframe id="f" src="ELSEWHERE/bank" style="position:absolute;left:600px;top:50px;width:90px;height:60px;border:0"></iframe>
        <script>addEventListener('pointermove', () => { f.style.left = '50px'; f.style.zIndex = 9 }, true)</script>"#;
    let bank = format!(
        "<!doctype html><title>B</title><body style='margin:0'><button id='trap' style='width:90px;height:60px'>Pay</button>{LEDGER}"
    );
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/bank", &bank)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let answer = click(&client, &seen, "Good").await;
    let code = answer.code.as_deref();
    assert!(
        matches!(code, Some("moved" | "covered" | "outcome_unknown")),
        "{code:?} {}",
        answer.text
    );
    assert_eq!(ledger(&client).await, "ledger:");
}
