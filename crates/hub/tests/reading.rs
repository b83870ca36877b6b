//! The reading tools, in a real Chromium.

use outrigger_testkit::{Kit, SHOP, eventually, reference};
use serde_json::json;

const PAGE: &str = r#"<!doctype html><html lang="en"><head><title>Tea</title>
<meta name="description" content="All about tea"><meta property="og:title" content="Tea!">
<link rel="canonical" href="/tea"></head><body>
<h1 id="top" class="big" data-kind="title">Tea <em>today</em></h1>
<p>Read <a href="/more" title="More on it">more</a> about <span onclick="void 0" style="cursor:pointer">leaves</span>.</p>
<form id="order"><label>Name <input name="who" value="Ada" required></label>
<label>Cups <select name="cups"><option>One<option selected>Two</select></label>
<label><input type="checkbox" name="milk" checked> Milk</label>
<label>Pin <input type="password" name="pin" value="hunter2"></label>
<button disabled>Order</button></form>
<p style="display:none" id="gone">Nobody reads this</p>
<button style="position:absolute;left:10px;top:500px" id="under">Under</button>
<div id="cover" style="position:absolute;left:0;top:480px;width:400px;height:100px;background:#eee">A banner</div>
<div id="host"></div>
<script>
document.getElementById('host').attachShadow({mode: 'closed'}).innerHTML = '<button class="inner" onclick="console.log(\'pressed in the dark\')">In the dark</button>';
console.log('brewing', {cups: 2}); console.warn('hot'); 
setTimeout(() => { undefinedFunction(); }, 0);
</script></body></html>"#;

#[tokio::test]
async fn elements_are_found_by_every_kind_of_selector() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    for (selector, expected) in [
        ("#top", "heading \"Tea today\""),
        ("text=leaves", "<span>"),
        ("text=\"more\"", "link \"more\""),
        ("role=textbox[name=\"Name\"]", "textbox \"Name\""),
        ("xpath=//select", "combobox \"Cups\""),
        ("//select", "combobox \"Cups\""),
        (".inner", "button \"In the dark\""),
    ] {
        let found = client.ok("browser_query_dom", json!({"selector": selector})).await;
        assert!(found.contains(expected), "{selector}: {found}");
    }
    let found = client.ok("browser_query_dom", json!({"selector": "#top"})).await;
    assert!(found.contains("css=\"#top\""), "{found}");
    let name = found.lines().find(|line| line.starts_with('e')).unwrap().split(' ').next().unwrap();
    let again = client.ok("browser_query_dom", json!({"selector": name})).await;
    assert!(again.contains(&format!("{name} heading")), "{again}");
    let told = client.ok("browser_snapshot", json!({"ref": name})).await;
    assert!(told.contains("Tea today") && !told.contains("Order"), "{told}");

    let found = client.ok("browser_find_by_text", json!({"text": "read"})).await;
    assert!(found.contains("<p>") || found.contains("paragraph"), "{found}");
    assert!(!found.contains("Nobody"), "what can't be seen is not found: {found}");
    let found = client.ok("browser_find_by_text", json!({"text": "Two"})).await;
    assert!(found.contains("combobox \"Cups\" text=\"Two\""), "{found}");
    assert_eq!(client.ok("browser_count_elements", json!({"selector": "p"})).await, "2");
    let seen = client.ok("browser_count_elements", json!({"selector": "p", "visible_only": true}));
    assert_eq!(seen.await, "1");
    assert_eq!(client.ok("browser_count_elements", json!({"selector": "video"})).await, "0");

    client.refused("browser_query_dom", json!({"selector": "a[["}), "invalid_arguments").await;
    client
        .refused("browser_query_dom", json!({"selector": "xpath=//["}), "invalid_arguments")
        .await;
    client.refused("browser_query_dom", json!({"selector": "video"}), "not_found").await;
    client.refused("browser_query_dom", json!({"selector": "e9999"}), "stale_ref").await;
    client.refused("browser_snapshot", json!({"ref": "e9999"}), "stale_ref").await;
}

#[tokio::test]
async fn elements_of_frames_come_in_the_order_in_which_they_are_read() {
    let outer = r#"<!doctype html><title>O</title><iframe srcdoc="<b>third</b>"></iframe><b>main</b>
<script>addEventListener('load', () => {
  const early = document.createElement('iframe');
  early.srcdoc = '<b>first</b><iframe srcdoc="<b>second</b>"></iframe>';
  document.body.prepend(early);
});</script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", outer)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let words = async || {
        let found = client.ok("browser_query_dom", json!({"selector": "b"})).await;
        let texts =
            found.lines().filter_map(|line| line.split("text=\"").nth(1)?.split('"').next());
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    let found = eventually("all frames are there", async || {
        Some(words().await).filter(|words| words.len() == 4)
    });
    assert_eq!(found.await, ["main", "first", "second", "third"]);
}

#[tokio::test]
async fn an_element_is_told_in_every_respect() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let told = client.ok("browser_get_attributes", json!({"selector": "#top"})).await;
    assert!(told.contains("data-kind=\"title\"") && told.contains("class=\"big\""), "{told}");
    let some = json!({"selector": "#top", "attributes": ["class", "no-such"]});
    let told = client.ok("browser_get_attributes", some).await;
    assert!(told.contains("class=\"big\"") && !told.contains("data-kind"), "{told}");
    assert!(!told.contains("no-such"), "{told}");
    let told = client.ok("browser_get_attributes", json!({"selector": "[name=pin]"})).await;
    assert!(!told.contains("hunter2") && told.contains("[secret]"), "{told}");
    let params = json!({"selector": "#cover", "properties": ["background-color", "no-such"]});
    let told = client.ok("browser_get_computed_styles", params).await;
    assert!(told.contains("background-color: rgb(238, 238, 238)"), "{told}");
    assert!(told.contains("No such CSS property: no-such"), "{told}");
    let told = client.ok("browser_get_computed_styles", json!({"selector": "#cover"})).await;
    for part in ["display: block", "position: absolute", "width: 400px", "cursor: auto"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let sees = async |selector: &str| {
        client.ok("browser_check_visibility", json!({"selector": selector})).await
    };
    assert!(sees("#top").await.contains("visible, in view"));
    let gone = sees("#gone").await;
    assert!(gone.contains("hidden (it or something around it is not displayed)"), "{gone}");
    let under = sees("#under").await;
    assert!(under.contains("covered by div#cover"), "{under}");
    let state = async |selector: &str| {
        client.ok("browser_check_element_state", json!({"selector": selector})).await
    };
    assert!(state("[name=milk]").await.contains("checked, enabled"));
    assert!(state("role=button[name='Order']").await.contains("disabled"));
    let values = client.ok("browser_get_form_values", json!({})).await;
    for part in ["\"Name\" name=\"who\"", "value \"Ada\"", "required", "value \"Two\"", "a secret"]
    {
        assert!(values.contains(part), "{part}: {values}");
    }
    assert!(!values.contains("hunter2"), "{values}");
}

#[tokio::test]
async fn a_page_is_read_as_text_as_a_tree_and_as_metadata() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let text = client.ok("browser_get_visible_text", json!({})).await;
    assert!(text.contains("Tea today\nRead more about leaves."), "{text}");
    assert!(text.contains("In the dark") && !text.contains("Nobody"), "{text}");
    let part = client.ok("browser_get_visible_text", json!({"selector": "h1"})).await;
    assert!(part.contains("Tea today") && !part.contains("leaves"), "{part}");
    let start = client.ok("browser_get_visible_text", json!({"max_tokens": 5})).await;
    let (_, next) = start.rsplit_once("offset ").unwrap_or_else(|| panic!("{start}"));
    let next: usize = next.trim_end_matches('.').parse().unwrap();
    let rest = client.ok("browser_get_visible_text", json!({"offset": next})).await;
    assert!(!rest.contains("Tea today\n"), "{rest}");
    let told = client.ok("browser_get_page_metadata", json!({})).await;
    for part in
        ["title: Tea", "language: en", "description: All about tea", "og:title: Tea!", "canonical:"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    let tree = client.ok("browser_get_filtered_aria_tree", json!({"interactive_only": true})).await;
    assert!(tree.contains("link e") && !tree.contains("heading"), "{tree}");
    let tree = client.ok("browser_get_filtered_aria_tree", json!({"roles": ["heading"]})).await;
    assert!(tree.contains("heading \"Tea today\" level=1"), "{tree}");
    let tree = client.ok("browser_get_filtered_aria_tree", json!({"max_tokens": 40})).await;
    assert!(tree.contains("Tea today") && tree.contains(" more lines; "), "{tree}");
    assert!(!tree.contains("In the dark"), "{tree}");
}

#[tokio::test]
async fn the_fields_of_one_form_are_told_apart_from_those_of_others() {
    let page = r#"<!doctype html><title>F</title>
        <form aria-label="Order"><input name="who" value="Ada"><input name="cups" value="2"></form>
        <form><input name="mail" value="ada@x.example"></form>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let all = client.ok("browser_get_form_values", json!({})).await;
    assert!(all.contains("\"Ada\"") && all.contains("ada@x.example"), "{all}");
    let found = client.ok("browser_query_dom", json!({"selector": "form"})).await;
    let name = found.lines().find(|line| line.starts_with('e')).unwrap().split(' ').next().unwrap();
    let one = client.ok("browser_get_form_values", json!({"ref": name})).await;
    assert!(one.contains("\"Ada\"") && one.contains("value \"2\""), "{one}");
    assert!(!one.contains("ada@x.example"), "{one}");
    let found = client.ok("browser_query_dom", json!({"selector": "[name=mail]"})).await;
    let name = found.lines().find(|line| line.starts_with('e')).unwrap().split(' ').next().unwrap();
    let one = client.ok("browser_get_form_values", json!({"ref": name})).await;
    assert!(one.contains("ada@x.example") && !one.contains("\"Ada\""), "{one}");
    let first = client.ok("browser_get_form_values", json!({"limit": 1})).await;
    assert!(first.contains("… 2 more match") && !first.contains("cups"), "{first}");
}

#[tokio::test]
async fn what_is_left_out_is_stated_by_every_tool_that_reads() {
    let long = format!(
        "<!doctype html><title>L</title><h1>Long</h1><p>{}the end</p>",
        "lorem ipsum dolor ".repeat(4_200_000 / 18)
    );
    let many: String = (0..300).map(|n| format!("<p>Paragraph {n}</p>")).collect();
    let many = format!("<!doctype html><title>M</title>{many}");
    let (_kit, pages, client) = Kit::with_browser(&[("/", &long), ("/many", &many)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    for (tool, arguments) in [
        ("browser_get_visible_text", json!({"max_tokens": 50})),
        ("get_page_text", json!({"max_tokens": 50})),
        ("tab_read", json!({"mode": "dom", "max_tokens": 50})),
        ("browser_get_filtered_aria_tree", json!({})),
        ("browser_find", json!({"query": "Long"})),
    ] {
        let said = client.ok(tool, arguments).await;
        assert!(said.contains("letters were left out"), "{tool}: {}", &said[..said.len().min(500)]);
    }
    let none = client.refused("browser_find", json!({"query": "no such words"}), "not_found").await;
    assert!(none.contains("letters were left out"), "{none}");
    client.ok("browser_navigate", json!({"url": pages.url("/many")})).await;
    let some = client.ok("browser_get_visible_text", json!({"selector": "p"})).await;
    assert!(some.contains("Paragraph 99\n") && !some.contains("Paragraph 100\n"), "{some}");
    assert!(some.contains("200 more match"), "{some}");
    let some = client.ok("browser_get_visible_text", json!({})).await;
    assert!(some.contains("Paragraph 299") && !some.contains("left out"), "{some}");
    let found = client.ok("browser_find", json!({"query": "Paragraph 7", "limit": 0})).await;
    assert!(found.contains("\nParagraph 7\n") && found.contains("… 56 more match"), "{found}");
}

#[tokio::test]
async fn a_picture_that_ends_before_the_page_does_says_so() {
    let page = |height: u32| {
        format!(
            "<!doctype html><title>T</title><body style='margin:0'><div id=d style='height:{height}px'>x</div>"
        )
    };
    let (tall, low) = (page(20_000), page(5_000));
    let (_kit, pages, client) = Kit::with_browser(&[("/tall", &tall), ("/low", &low)]).await;
    for (path, is_cut) in [("/tall", true), ("/low", false)] {
        client.ok("browser_navigate", json!({"url": pages.url(path)})).await;
        for arguments in [json!({"full_page": true}), json!({"full_page": true, "max_width": 300})]
        {
            let shot = client.call("browser_screenshot", arguments.clone()).await;
            // Made smaller, all of it fits.
            let is_cut = is_cut && arguments.get("max_width").is_none();
            assert_eq!(shot.text.contains("No picture is taller"), is_cut, "{}", shot.text);
        }
    }
}

#[tokio::test]
async fn hidden_parts_boxes_and_closed_shadow_roots_are_told_on_request() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("<button") && seen.contains("\"In the dark\""), "{seen}");
    assert!(seen.contains("\"Under\" covered>") && !seen.contains("Nobody"), "{seen}");
    client.ok("browser_click", json!({"ref": reference(&seen, "In the dark")})).await;
    let log = client.ok("browser_get_console_logs", json!({})).await;
    assert!(log.contains("pressed in the dark"), "{log}");
    let all = client.ok("browser_snapshot", json!({"include_hidden": true})).await;
    assert!(all.contains("Nobody reads this") && all.contains("hidden"), "{all}");
    assert!(!all.contains("hunter2"), "{all}");
    let boxes = client.ok("browser_snapshot", json!({"boxes": true})).await;
    assert!(boxes.contains("\"Under\" covered @10,500,"), "{boxes}");
}

#[tokio::test]
async fn the_console_is_kept_with_levels_and_stacks() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let log = client.ok("browser_get_console_logs", json!({})).await;
    assert!(log.contains("info: brewing") && log.contains("warning: hot"), "{log}");
    assert!(log.contains("undefinedFunction is not defined") && log.contains("    at "), "{log}");
    let bad = client.ok("browser_get_console_logs", json!({"level": "error"})).await;
    assert!(!bad.contains("brewing") && bad.contains("undefinedFunction"), "{bad}");
    let first = client.ok("browser_get_console_logs", json!({"limit": 1})).await;
    let (_, after) = first.rsplit_once("after ").unwrap_or_else(|| panic!("{first}"));
    let after: u32 = after.trim_end_matches('.').parse().unwrap();
    let next = client.ok("browser_get_console_logs", json!({"after": after})).await;
    assert!(!next.contains("brewing"), "{next}");
    let none = client.ok("browser_get_console_logs", json!({"text": "no such"})).await;
    assert!(none.starts_with("None of the "), "{none}");
}

#[tokio::test]
async fn requests_are_listed_and_told_without_their_secrets() {
    let page = r#"<!doctype html><title>N</title><button onclick="fetch('/data?token=s3cret&x=1', {
        method: 'POST', headers: {'Authorization': 'Bearer s3cret', 'Content-Type': 'application/json'},
        body: JSON.stringify({password: 's3cret', name: 'Ada'})})">Ask</button>"#;
    let data = r#"{"greeting":"hello","access_token":"s3cret"}"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/data", data)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = client.ok("browser_network", json!({})).await;
    assert!(before.contains("- ? 200 document"), "{before}");
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Ask")})).await;
    let listed = client.ok("browser_network", json!({"url": "/data"})).await;
    assert!(listed.contains(" POST ") && listed.contains("x=1"), "{listed}");
    let line = listed.lines().find(|line| line.contains("/data")).unwrap();
    let id: u32 = line.split(' ').next().unwrap().parse().unwrap();
    let told = client.ok("browser_network", json!({"id": id})).await;
    assert!(told.contains("password, name") && told.contains("\"greeting\""), "{told}");
    assert!(told.contains("Bearer [redacted]"), "{told}");
    for said in [&listed, &told] {
        assert!(!said.contains("s3cret"), "{said}");
    }
    client.refused("browser_network", json!({"id": 9999}), "not_found").await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Ask")})).await;
    let first = client.ok("browser_network", json!({"url": "/data", "limit": 1})).await;
    assert_eq!(first.matches("/data").count(), 1, "{first}");
    assert!(first.contains(&format!("1 more: read on with after {id}")), "{first}");
    let rest = client.ok("browser_network", json!({"url": "/data", "after": id})).await;
    assert_eq!(rest.matches("/data").count(), 1, "{rest}");
    assert!(!rest.contains(&format!("\n{id} POST")) && !rest.contains("more:"), "{rest}");
    let none = client.ok("browser_network", json!({"failed": true, "url": "/data"})).await;
    assert!(none.starts_with("None of the "), "{none}");
}

#[tokio::test]
async fn an_element_is_pictured_alone_and_a_page_is_printed() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let found = client.ok("browser_query_dom", json!({"selector": "#cover"})).await;
    let name = found.lines().find(|line| line.starts_with('e')).unwrap().split(' ').next().unwrap();
    let shot = client.call("browser_screenshot", json!({"ref": name, "format": "png"})).await;
    assert!(shot.text.starts_with("400×100 image/png"), "{}", shot.text);
    assert!(shot.picture.is_some());
    let found = client.ok("browser_query_dom", json!({"selector": "#gone"})).await;
    let name = found.lines().find(|line| line.starts_with('e')).unwrap().split(' ').next().unwrap();
    client.refused("browser_screenshot", json!({"ref": name}), "hidden").await;
    let too_large = client.call("browser_pdf", json!({"scale": 2.5})).await;
    assert_eq!(too_large.code.as_deref(), Some("invalid_arguments"), "{}", too_large.text);
    assert!(too_large.text.contains("from 0.1 to 2"), "{}", too_large.text);
    let printed = client.call("browser_pdf", json!({"landscape": true})).await;
    assert!(printed.text.starts_with("A PDF of "), "{}", printed.text);
    assert_eq!(&printed.file.unwrap()[..5], b"%PDF-");
}

#[tokio::test]
async fn frames_are_read_where_they_stand() {
    let inner = r#"<!doctype html><title>I</title><p>Inner words</p><button>Inner</button>
        <iframe src="/innermost" title="Deep"></iframe>"#;
    let innermost = "<!doctype html><title>D</title><p>Deepest words</p>";
    let kit = Kit::start().await;
    let pages =
        outrigger_testkit::Pages::serve(&[("/inner", inner), ("/innermost", innermost)]).await;
    let outer = format!(
        "<!doctype html><title>O</title><p>Before</p><iframe src=\"{}\" title=\"Card\"></iframe><p>After</p>",
        pages.elsewhere("/inner")
    );
    let outside = outrigger_testkit::Pages::serve(&[("/", &outer)]).await;
    kit.launch().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": outside.url("/")})).await;
    client.ok("browser_wait", json!({"text": "Deepest words"})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let at = |words: &str| seen.find(words).unwrap_or_else(|| panic!("{words}: {seen}"));
    assert!(
        at("Before") < at("frame \"Card\"") && at("frame \"Card\"") < at("Inner words"),
        "{seen}"
    );
    assert!(at("Inner words") < at("Deepest words") && at("Deepest words") < at("After"), "{seen}");
    let hits = client.ok("browser_find", json!({"query": "Deepest"})).await;
    let within = ["frame \"Card\" ", "frame \"Deep\" ", "Deepest words"];
    let at = within.map(|words| hits.find(words).unwrap_or_else(|| panic!("{words}: {hits}")));
    assert!(at.is_sorted(), "{hits}");
    let found = client.ok("browser_query_dom", json!({"selector": "role=button"})).await;
    assert!(found.contains("button \"Inner\""), "{found}");
    let name = reference(&seen, "Inner");
    let shot = client.call("browser_screenshot", json!({"ref": name})).await;
    assert!(!shot.failed && shot.picture.is_some(), "{}", shot.text);
}

#[tokio::test]
async fn every_option_of_a_long_list_can_be_found_and_opened() {
    let page = r#"<!doctype html><title>L</title><label>Country <select id="s"></select></label>
        <script>for (let n = 0; n < 200; n += 1) s.add(new Option(`Country ${n}`))</script>"#;
    let kit = Kit::start().await;
    let pages = outrigger_testkit::Pages::serve(&[("/", page)]).await;
    kit.launch().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("+188 more>") && seen.contains("§ 188 more s1 ("), "{seen}");
    let list = reference(&seen, "Country");
    let found = client.ok("browser_find", json!({"query": "Country 150"})).await;
    assert!(found.contains(&format!("options of {list}: ")), "{found}");
    for wanted in [json!({"ref": list}), json!({"section": "s1"})] {
        let opened = client.ok("browser_snapshot", wanted).await;
        assert!((12..200).all(|n| opened.contains(&format!("\"Country {n}\""))), "{opened}");
    }
}

#[tokio::test]
async fn an_editor_in_a_frame_can_be_written_in() {
    let page = r#"<!doctype html><title>E</title>
        <iframe title="Rich" srcdoc="<body contenteditable>hello</body>"></iframe>
        <iframe title="Design" srcdoc="<p>draft</p><script>document.designMode = 'on'</script>"></iframe>"#;
    let kit = Kit::start().await;
    let pages = outrigger_testkit::Pages::serve(&[("/", page)]).await;
    kit.launch().await;
    let client = kit.client().await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    for held in ["hello", "draft"] {
        let seen = client.ok("browser_snapshot", json!({})).await;
        let line =
            seen.lines().find(|line| line.contains(&format!("value=\"{held}"))).expect(&seen);
        let field = line.split_whitespace().nth(1).expect(line);
        client.ok("browser_type", json!({"ref": field, "text": "tea"})).await;
        let after = client.ok("browser_snapshot", json!({})).await;
        let is_written = after.lines().any(|line| line.contains(field) && line.contains("tea"));
        assert!(is_written, "{after}");
    }
}

#[tokio::test]
async fn a_dialog_on_top_is_told_first() {
    let page = r#"<!doctype html><title>D</title><h1>Behind</h1><dialog id="d" aria-label="Really?">
        <button>Yes</button></dialog><script>document.getElementById('d').showModal()</script>"#;
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let at = |words: &str| seen.find(words).unwrap_or_else(|| panic!("{words}: {seen}"));
    assert!(at("dialog \"Really?\"") < at("# Behind") && at("\"Yes\"") < at("# Behind"), "{seen}");
    assert_eq!(seen.matches("\"Yes\"").count(), 1, "{seen}");
}

#[tokio::test]
async fn other_names_read_the_same_page() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", SHOP)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let listed = client.ok("browser_tabs", json!({"action": "list"})).await;
    let line = listed.lines().find(|line| line.contains("(current)")).unwrap();
    let tab: i64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    client.ok("browser_tabs", json!({"action": "select", "id": tab})).await;
    assert!(client.ok("read_page", json!({"tabId": tab})).await.contains("# Tea shop"));
    assert!(client.ok("get_page_text", json!({"tabId": tab})).await.contains("We sell good tea"));
    assert!(client.ok("find", json!({"query": "good tea"})).await.contains("[good tea](e"));
    // A busy browser says a moment after the page's own load event that its tab is complete.
    let info = eventually("the tab is complete", || async {
        let info = client.ok("tab_read", json!({"mode": "info"})).await;
        info.contains("status: complete").then_some(info)
    });
    assert!(info.await.contains("title: Shop"));
    assert!(client.ok("tab_info", json!({})).await.contains("title: Shop"));
    let dom = client.ok("tab_read", json!({"mode": "dom"})).await;
    assert!(dom.contains("Tea shop") && !dom.contains("hunter2"), "{dom}");
    assert!(client.ok("tab_read_dom", json!({})).await.contains("Tea shop"));
    let elements = client.ok("tab_read", json!({"mode": "elements"})).await;
    assert!(elements.contains("button \"Go\" css=\"#go\""), "{elements}");
    let shot = client.call("tab_read", json!({"mode": "screenshot"})).await;
    assert!(shot.text.contains("image/png"), "{}", shot.text);
    let shot = client.call("tab_screenshot", json!({"format": "jpeg"})).await;
    assert!(shot.text.contains("image/jpeg"), "{}", shot.text);
    assert!(client.ok("extract_page", json!({})).await.contains("Tea shop"));
    assert!(client.call("capture_screen", json!({})).await.picture.is_some());
    assert!(client.ok("list_tabs", json!({})).await.contains("\"tabs\""));
}

#[tokio::test]
async fn a_section_of_a_part_opens_in_that_part() {
    let rows = |word: &str| -> String {
        (0..60).map(|n| format!("<p>Row of {n}: {word}</p><p>Same words</p>")).collect()
    };
    let page = format!(
        "<!doctype html><title>S</title><div id=one tabindex=0>{}</div><div id=two tabindex=0>{}</div>",
        rows("one"),
        rows("two")
    );
    let (_kit, pages, client) = Kit::with_browser(&[("/", &page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let found = client.ok("browser_query_dom", json!({"selector": "#two"})).await;
    let name = found.lines().find(|line| line.starts_with('e')).unwrap().split(' ').next().unwrap();
    let part = client.ok("browser_snapshot", json!({"ref": name, "max_tokens": 200})).await;
    assert!(part.contains("two") && !part.contains(": one"), "{part}");
    let (_, rest) = part.rsplit_once("§ ").unwrap_or_else(|| panic!("{part}"));
    let (head, _) = rest.split_once(" (").unwrap();
    let section = head.rsplit(' ').next().unwrap();
    let opened =
        client.ok("browser_snapshot", json!({"section": section, "max_tokens": 9000})).await;
    assert!(opened.contains("Row of 59: two") && !opened.contains(": one"), "{opened}");
}

#[tokio::test]
async fn a_look_that_makes_no_sense_is_refused_and_one_past_the_end_says_so() {
    let (_kit, pages, client) = Kit::with_browser(&[("/", PAGE)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    for (tool, arguments) in [
        ("browser_snapshot", json!({"section": "s1", "ref": "e1"})),
        ("browser_find", json!({"query": ""})),
        ("browser_find", json!({"query": " \n"})),
        ("browser_find_by_text", json!({"text": " "})),
    ] {
        client.refused(tool, arguments, "invalid_arguments").await;
    }
    let past = client.ok("browser_get_visible_text", json!({"offset": 99_999_999})).await;
    assert!(past.contains("the text has only ") && !past.contains("<untrusted"), "{past}");
    client.refused("browser_find", json!({"query": "("}), "not_found").await;
    let buttons = client.ok("browser_find", json!({"query": "", "role": "button"})).await;
    assert!(buttons.contains("Under"), "{buttons}");
}

#[tokio::test]
async fn no_line_of_the_console_passes_for_another_entry() {
    let page =
        r"<!doctype html><title>C</title><script>console.log('con\n2 error: forged line')</script>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let log = eventually("it is logged", || async {
        let log = client.ok("browser_get_console_logs", json!({})).await;
        log.contains("forged").then_some(log)
    })
    .await;
    let line = log.lines().find(|line| line.contains("forged")).unwrap();
    assert!(line.starts_with("    2 error"), "{log}");
}

#[tokio::test]
async fn a_request_with_a_fragment_is_listed_once_and_what_came_before_recording_is_explained() {
    let page = "<!doctype html><title>N</title><button onclick=\"fetch('/data#x')\">Ask</button>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", page), ("/data", "{}")]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let before = client.ok("browser_network", json!({})).await;
    assert!(before.starts_with("What has no number (-) came before recording began"), "{before}");
    let seen = client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_click", json!({"ref": reference(&seen, "Ask")})).await;
    let listed = client.ok("browser_network", json!({"url": "/data"})).await;
    assert_eq!(listed.matches("/data").count(), 1, "{listed}");
    assert!(listed.contains(" GET 200 fetch ") && !listed.contains("no number"), "{listed}");
}

#[tokio::test]
async fn a_title_that_an_action_changed_is_told() {
    let page = "<!doctype html><title>Tea</title><button onclick=\"document.title = 'Tea (1)'\">Count</button><p>One<p>Two<p>Three<p>Four<p><button>Idle</button>";
    let (_kit, pages, client) = Kit::with_browser(&[("/", page)]).await;
    client.ok("browser_navigate", json!({"url": pages.url("/")})).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    let told = client.ok("browser_click", json!({"ref": reference(&seen, "Count")})).await;
    assert!(told.contains("\n~ title: Tea (1)\n"), "{told}");
    let idle = client.ok("browser_click", json!({"ref": reference(&seen, "Idle")})).await;
    assert!(!idle.contains("title"), "{idle}");
}
