//! A person's own browser, in a real Chromium: nothing happens there that the
//! user did not allow, and what was allowed happens once, where it was shown.

use outrigger_testkit::{Answer, Api, McpClient, Pages, Person, Target, eventually, reference};
use serde_json::{Value, json};

const SHOP: &str = "<!doctype html><title>Shop</title><h1>Tea</h1><p>Green leaves</p>\
    <button onclick=\"window.count = (window.count ?? 0) + 1; this.after('more')\">More</button>\
    <input aria-label=Name>";

/// Calls, and presses that button of the question that comes up.
async fn answered(
    panel: &Target<'_>,
    client: &McpClient,
    tool: &str,
    arguments: Value,
    answer: &str,
) -> Answer {
    let (said, ()) =
        tokio::join!(client.call(tool, arguments), panel.press(".request button", answer));
    said
}

async fn allowed(
    panel: &Target<'_>,
    client: &McpClient,
    tool: &str,
    arguments: Value,
    answer: &str,
) -> String {
    let said = answered(panel, client, tool, arguments, answer).await;
    assert!(!said.failed, "{}", said.text);
    said.text
}

#[tokio::test]
async fn the_user_is_asked_and_each_answer_holds_as_long_as_it_says() {
    let person = Person::start(&[("/", SHOP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": person.pages.url("/")});
    let said = answered(&panel, client, "browser_navigate", there.clone(), "Deny").await;
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    assert!(said.text.contains("the user said no"), "{}", said.text);
    let said = allowed(&panel, client, "browser_navigate", there.clone(), "Allow once").await;
    assert!(!said.contains("Shop"), "what is there is not told before it may be read: {said}");
    let seen =
        allowed(&panel, client, "browser_snapshot", json!({}), "Allow for this session").await;
    assert!(seen.contains("Green leaves"), "{seen}");
    client.ok("browser_snapshot", json!({})).await;
    client.ok("browser_wait", json!({"text": "Green"})).await;
    let tabs = client.ok("list_tabs", json!({})).await;
    assert!(tabs.contains("Shop") && !tabs.contains("sidepanel"), "its own tabs alone: {tabs}");
    let more = json!({"ref": reference(&seen, "More")});
    let said = allowed(&panel, client, "browser_click", more.clone(), "Allow once").await;
    assert!(said.contains("more"), "{said}");
    let said = answered(&panel, client, "browser_click", more.clone(), "Never allow").await;
    assert!(said.failed);
    let said = client.refused("browser_click", more.clone(), "not_allowed").await;
    assert!(said.contains("the user decided so before"), "{said}");
    // Another session has no part in what was allowed for this one.
    let other = person.kit.client().await;
    let said = answered(&panel, &other, "browser_navigate", there, "Always allow").await;
    assert!(!said.failed, "{}", said.text);
    let said = answered(&panel, &other, "browser_snapshot", json!({}), "Deny").await;
    assert!(said.failed, "{}", said.text);
}

#[tokio::test]
async fn a_question_says_who_asks_what_where_and_with_what() {
    let person = Person::start(&[("/", SHOP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = person.pages.url("/?q=a%20b#c");
    let read = async {
        let text = panel.asked().await;
        panel.press(".request button", "Allow once").await;
        text
    };
    let (_, question) = tokio::join!(client.call("browser_navigate", json!({"url": there})), read);
    let origin = there.split("/?").next().unwrap();
    for words in
        ["rmcp asks", "Open an address", "127.0.0.1", origin, &there, "on your own machine"]
    {
        assert!(question.contains(words), "{words}: {question}");
    }
}

#[tokio::test]
async fn a_question_says_in_words_what_is_looked_for() {
    let person = Person::start(&[("/", SHOP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": person.pages.url("/")});
    allowed(&panel, client, "browser_navigate", there, "Allow once").await;
    let name = r#"target={"role":"textbox","name":"Name"}"#;
    let form = json!({"fields": [{"ref": name, "value": "Ada"}]});
    for (tool, arguments, words) in [
        (
            "browser_click",
            json!({"selector": r#"target={"role":"button","name":"More","heading":"Tea"}"#}),
            "the button “More” under “Tea” (found by its role, name and heading)",
        ),
        ("browser_click", json!({"selector": "text=More"}), "what says “More” among other words"),
        ("browser_click", json!({"x": 12, "y": 34}), "12 pixels from the left and 34 from the top"),
        (
            "browser_type",
            json!({"selector": name, "text": "Ada"}),
            "the textbox “Name” (found by its role and name)",
        ),
        ("browser_fill_form", form, "the textbox “Name” (found by its role and name)"),
    ] {
        let read = async {
            let text = panel.asked().await;
            panel.press(".request button", "Deny").await;
            panel.until("document.querySelector('.request') === null").await;
            text
        };
        let (said, question) = tokio::join!(client.call(tool, arguments), read);
        assert_eq!(said.code.as_deref(), Some("not_allowed"), "{tool}: {}", said.text);
        assert!(question.contains(words), "{tool}: {words}: {question}");
        assert!(!question.contains("target=") && !question.contains('{'), "{tool}: {question}");
        assert!(tool == "browser_click" || question.contains("Ada"), "{tool}: {question}");
    }
}

#[tokio::test]
async fn a_question_about_a_site_that_passes_for_another_says_so() {
    let person = Person::start(&[("/", SHOP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let api = Api::new(person.kit.settings.port, person.kit.hub().agent_token().reveal());
    let trusted = json!({"domain": "teahouse.test", "trust": "trusted"});
    let (listed, ()) = tokio::join!(
        api.ask("PUT", "/api/v1/domain-trust", trusted),
        panel.press(".request button", "Confirm")
    );
    assert_eq!(listed.status, 200, "{}", listed.body);
    for (host, warning) in [
        // With a Cyrillic е.
        ("teahous\u{435}.test", Some("written to look like teahouse.test")),
        ("teahuose.test", Some("spelled almost like teahouse.test")),
        ("teahouse-login.test", Some("has the name of teahouse.test in it")),
        ("teahouse.test", None),
        ("garden.test", None),
    ] {
        panel.until("document.querySelector('.request') === null").await;
        let there = person.pages.url("/").replace("127.0.0.1", host);
        let read = async {
            let question = panel.asked().await;
            panel.press(".request button", "Deny").await;
            question
        };
        let (said, question) =
            tokio::join!(client.call("browser_navigate", json!({"url": there})), read);
        assert_eq!(said.code.as_deref(), Some("not_allowed"), "{host}: {}", said.text);
        assert!(warning.is_none_or(|words| question.contains(words)), "{host}: {question}");
        let warned = ["look like", "almost like", "has the name"];
        let is_warned = warned.iter().any(|words| question.contains(words));
        assert_eq!(is_warned, warning.is_some(), "{host}: {question}");
    }
}

/// Of the small window that asks where no panel is in sight.
const SMALL_WINDOW: &str = "sidepanel.html?window";

#[tokio::test]
async fn what_is_asked_behind_other_tabs_is_asked_in_a_small_window_too() {
    let person = Person::start(&[("/", SHOP)]).await;
    let _unseen = person.devtools.open_own_page_unseen("sidepanel.html").await;
    let answer = async {
        person.devtools.page(SMALL_WINDOW).await.press(".request button", "Allow once").await;
    };
    let there = json!({"url": person.pages.url("/")});
    let (said, ()) = tokio::join!(person.client.call("browser_navigate", there), answer);
    assert!(!said.failed, "{}", said.text);
}

#[tokio::test]
async fn what_is_asked_in_a_panel_that_is_closed_is_asked_in_a_small_window_then() {
    let person = Person::start(&[("/", SHOP)]).await;
    let panel = person.panel().await;
    panel.until("document.visibilityState === 'visible'").await;
    let answer = async {
        panel.asked().await;
        assert!(!person.devtools.has_page(SMALL_WINDOW).await, "it is asked in the panel");
        panel.command("Page.close", json!({})).await;
        person.devtools.page(SMALL_WINDOW).await.press(".request button", "Allow once").await;
    };
    let there = json!({"url": person.pages.url("/")});
    let (said, ()) = tokio::join!(person.client.call("browser_navigate", there), answer);
    assert!(!said.failed, "{}", said.text);
}

#[tokio::test]
async fn one_yes_is_for_one_call() {
    let person = Person::start(&[("/", SHOP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": person.pages.url("/")});
    allowed(&panel, client, "browser_navigate", there, "Allow once").await;
    let seen = allowed(&panel, client, "browser_snapshot", json!({}), "Allow once").await;
    let more = json!({"ref": reference(&seen, "More")});
    let both = async {
        panel.until("document.querySelectorAll('.request').length === 2").await;
        panel.press(".request button", "Allow once").await;
        panel.until("document.querySelectorAll('.request').length === 1").await;
        panel.press(".request button", "Deny").await;
    };
    let (one, two, ()) = tokio::join!(
        client.call("browser_click", more.clone()),
        client.call("browser_click", more.clone()),
        both
    );
    assert_eq!([one.failed, two.failed].iter().filter(|failed| !**failed).count(), 1);
    let page = person.devtools.page(&person.pages.url("/")).await;
    assert_eq!(page.evaluate("window.count").await, 1);
}

#[tokio::test]
async fn what_changes_between_question_and_answer_is_not_what_was_allowed() {
    let person = Person::start(&[("/", SHOP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": person.pages.url("/")});
    allowed(&panel, client, "browser_navigate", there, "Allow once").await;
    let seen = allowed(&panel, client, "browser_snapshot", json!({}), "Allow once").await;
    let page = person.devtools.page(&person.pages.url("/")).await;
    let more = json!({"ref": reference(&seen, "More")});
    let relabel = async {
        panel.asked().await;
        page.evaluate("void (document.querySelector('button').textContent = 'Less')").await;
        panel.press(".request button", "Allow once").await;
    };
    let (said, ()) = tokio::join!(client.call("browser_click", more), relabel);
    assert_eq!(said.code.as_deref(), Some("changed"), "{}", said.text);
}

#[tokio::test]
async fn an_act_is_not_done_in_the_page_that_took_the_place_of_the_one_it_was_allowed_for() {
    let person = Person::start(&[("/", SHOP), ("/other", SHOP)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": person.pages.url("/")});
    allowed(&panel, client, "browser_navigate", there.clone(), "Always allow").await;
    allowed(&panel, client, "browser_snapshot", json!({}), "Always allow").await;
    let page = person.devtools.page(&person.pages.url("/")).await;
    let elsewhere = person.pages.elsewhere("/other");
    for way in ["ref", "point", "selector"] {
        client.ok("browser_navigate", there.clone()).await;
        let seen = client.ok("browser_snapshot", json!({})).await;
        // The other page has the same button in the same place.
        let middle = "(({ x, y }) => ({ x: x + 9, y: y + 9 }))\
            (document.querySelector('button').getBoundingClientRect())";
        let at = match way {
            "ref" => json!({"ref": reference(&seen, "More")}),
            "point" => page.evaluate(middle).await,
            _ => json!({"selector": "text=More"}),
        };
        let leave = async {
            panel.asked().await;
            page.evaluate(&format!("void (location.href = {})", json!(elsewhere))).await;
            eventually("it is there", || async {
                let list = client.ok("browser_tabs", json!({"action": "list"})).await;
                list.contains("localhost").then_some(())
            })
            .await;
            panel.press(".request button", "Allow once").await;
        };
        let (said, ()) = tokio::join!(client.call("browser_click", at), leave);
        let code = if way == "ref" { "origin_changed" } else { "not_allowed" };
        assert_eq!(said.code.as_deref(), Some(code), "{way}: {}", said.text);
        assert!(!said.text.contains("Green leaves"), "{way}: {}", said.text);
        assert_eq!(
            page.evaluate("[location.href, window.count ?? 0]").await,
            json!([elsewhere, 0])
        );
    }
    // Allowed where it is, the same press counts.
    let click = json!({"selector": "text=More"});
    answered(&panel, client, "browser_click", click, "Allow once").await;
    assert_eq!(page.evaluate("window.count ?? 0").await, 1);
}

#[tokio::test]
async fn where_a_redirect_ends_is_judged_before_anything_is_read() {
    let person =
        Person::start(&[("/", SHOP), ("/secret", "<title>Secret</title><p>Diary</p>")]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let hop = format!(
        "<!doctype html><title>Hop</title><script>location.replace({})</script>",
        json!(person.pages.elsewhere("/secret"))
    );
    let hops = Pages::serve(&[("/", &hop)]).await;
    let there = json!({"url": hops.url("/")});
    let said = allowed(&panel, client, "browser_navigate", there, "Allow once").await;
    assert!(!said.contains("Secret") && !said.contains("Diary"), "{said}");
    eventually("it is there", || async {
        let list = client.ok("browser_tabs", json!({"action": "list"})).await;
        assert!(!list.contains("Secret"), "{list}");
        list.contains("localhost").then_some(())
    })
    .await;
    let said = answered(&panel, client, "browser_snapshot", json!({}), "Deny").await;
    assert!(said.failed && !said.text.contains("Diary"), "{}", said.text);
}

#[tokio::test]
async fn a_frame_of_another_site_is_asked_for_on_its_own() {
    let framed = "<!doctype html><title>Inner</title><p>Inner words</p>\
        <button style='position:fixed;left:0;top:0;width:200px;height:90px' \
            onclick=\"parent.postMessage('pressed', '*')\">Inner button</button>";
    let person = Person::start(&[("/framed", framed)]).await;
    let inner = person.pages.elsewhere("/framed");
    let outer = format!(
        "<!doctype html><title>Outer</title><p>Outer words</p><button>Outer button</button>\
        <script>window.onmessage = () => (window.pressed = (window.pressed ?? 0) + 1)</script>\
        <iframe src={} style='position:fixed;left:0;top:200px;width:300px;height:200px'></iframe>",
        json!(inner)
    );
    let outside = Pages::serve(&[("/", &outer)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": outside.url("/")});
    allowed(&panel, client, "browser_navigate", there.clone(), "Always allow").await;
    let seen = allowed(&panel, client, "browser_snapshot", json!({}), "Always allow").await;
    assert!(seen.contains("Outer words") && !seen.contains("Inner words"), "{seen}");
    let outer_button = json!({"ref": reference(&seen, "Outer button")});
    allowed(&panel, client, "browser_click", outer_button, "Always allow").await;
    let page = person.devtools.page(&outside.url("/")).await;
    let pressed = async || page.evaluate("window.pressed ?? 0").await;
    let (point, selector) = (json!({"x": 50, "y": 250}), json!({"selector": "text=Inner button"}));
    for (way, code) in [(&point, "not_allowed"), (&selector, "not_found")] {
        let said = client.refused("browser_click", way.clone(), code).await;
        assert!(!said.contains("Inner"), "what is in it is not told either: {said}");
    }
    // Reading it is allowed on its own, and acting there is another thing.
    allowed(&panel, client, "browser_navigate", json!({"url": inner}), "Always allow").await;
    allowed(&panel, client, "browser_snapshot", json!({}), "Always allow").await;
    client.ok("browser_navigate", there).await;
    let seen = client.ok("browser_snapshot", json!({})).await;
    assert!(seen.contains("Outer words") && seen.contains("Inner words"), "{seen}");
    for (way, code) in [(&point, "not_allowed"), (&selector, "not_found")] {
        let said = client.refused("browser_click", way.clone(), code).await;
        assert!(said.contains("frame of another site"), "{said}");
    }
    let into =
        json!({"from": reference(&seen, "Outer button"), "to": reference(&seen, "Inner button")});
    let said = client.refused("browser_drag", into, "not_allowed").await;
    assert!(said.contains("different sites"), "{said}");
    let inner_button = json!({"ref": reference(&seen, "Inner button")});
    let said = answered(&panel, client, "browser_click", inner_button.clone(), "Deny").await;
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    assert_eq!(pressed().await, 0, "no way reached it");
    let read = async {
        let question = panel.asked().await;
        panel.press(".request button", "Allow once").await;
        question
    };
    let (said, question) = tokio::join!(client.call("browser_click", inner_button), read);
    assert!(!said.failed, "{}", said.text);
    assert!(question.contains(inner.trim_end_matches("/framed")), "{question}");
    eventually("it was pressed", || async { (pressed().await == 1).then_some(()) }).await;
}

#[tokio::test]
async fn nothing_but_the_users_own_hand_in_our_own_pages_answers() {
    let fake = "<!doctype html><title>Fake</title><h1>Outrigger asks</h1>\
        <button onclick=\"document.title = 'Pressed'\">Allow once</button>";
    let person = Person::start(&[("/", fake)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": person.pages.url("/")});
    allowed(&panel, client, "browser_navigate", there, "Allow once").await;
    let page = person.devtools.page(&person.pages.url("/")).await;
    let pretend = async {
        panel.asked().await;
        // A script's press, and one in a page that looks like ours.
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
        panel
            .evaluate(
                "document.querySelectorAll('.request button').forEach((it) => \
            it.textContent.startsWith('Allow') && it.click())",
            )
            .await;
        page.press("button", "Allow once").await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let still = panel.evaluate("document.querySelectorAll('.request').length").await;
        panel.press(".request button", "Deny").await;
        still
    };
    let (said, still) = tokio::join!(client.call("browser_snapshot", json!({})), pretend);
    assert_eq!(still, 1, "the question is still open");
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "{}", said.text);
    // The pages that ask are out of every tool's reach.
    let own = panel.evaluate("location.href").await;
    client.refused("browser_navigate", json!({"url": own}), "forbidden_url").await;
    let worker = person.devtools.worker().await;
    let look = "chrome.tabs.query({}).then((all) => [\
        all.find(({ url }) => url.includes('sidepanel')).id, all.find(({ title }) => title === 'Pressed').id])";
    let ids = worker.evaluate(look).await;
    let (panels, agents) = (ids[0].as_i64().unwrap(), ids[1].as_i64().unwrap());
    let there = json!({"tab": panels, "x": 20, "y": 20});
    client.refused("browser_click", there.clone(), "not_your_tab").await;
    // Not even if it were put among the agent's tabs, and the user agreed.
    let join = format!(
        "chrome.tabs.get({agents}).then(({{ groupId }}) => chrome.tabs.group({{ tabIds: [{panels}], groupId }}))"
    );
    worker.evaluate(&join).await;
    let window = person.devtools.open_own_page("sidepanel.html?second").await;
    eventually("it is among them", || async {
        let mut call = std::pin::pin!(client.call("browser_click", there.clone()));
        let said = tokio::select! {
            said = &mut call => said,
            () = window.press(".request button", "Allow once") => call.await,
        };
        let code = said.code.as_deref();
        assert!(said.failed, "{}", said.text);
        (code != Some("not_your_tab"))
            .then(|| assert_eq!(code, Some("unsupported_page"), "{}", said.text))
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_undone_is_confirmed_each_time_on_every_way() {
    let page = "<!doctype html><title>Mail</title><h1>New message</h1>\
        <form onsubmit=\"window.sent = (window.sent ?? 0) + 1; return false\">\
        <input aria-label=Subject name=subject><button>Send</button></form>\
        <form onsubmit=\"window.sent = (window.sent ?? 0) + 1; return false\">\
        <input type=password aria-label=Old><input type=password aria-label=New>\
        <button>Save</button></form>\
        <button style='position:fixed;left:300px;top:300px;width:90px;height:40px' \
            onclick='window.paid = (window.paid ?? 0) + 1'>Pay now</button>";
    let person = Person::start(&[("/", page)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": person.pages.url("/")});
    allowed(&panel, client, "browser_navigate", there, "Allow for this session").await;
    let seen =
        allowed(&panel, client, "browser_snapshot", json!({}), "Allow for this session").await;
    let at = |name: &str| json!({"ref": reference(&seen, name)});
    // Whatever is allowed beforehand.
    allowed(&panel, client, "browser_click", at("Subject"), "Always allow").await;
    let text = json!({"ref": reference(&seen, "Subject"), "text": "Tea"});
    allowed(&panel, client, "browser_type", text, "Always allow").await;
    client.ok("browser_click", at("Subject")).await;
    let submit = json!({"ref": reference(&seen, "Subject"), "text": "!", "submit": true});
    let form =
        json!({"fields": [{"ref": reference(&seen, "Subject"), "value": "x"}], "submit": true});
    let ways = [
        ("browser_click", at("Pay now"), "Pay now"),
        ("browser_click", json!({"selector": "text=Pay now"}), "Pay now"),
        ("browser_click", json!({"x": 345, "y": 320}), "Pay now"),
        ("browser_press_key", json!({"ref": reference(&seen, "Subject"), "key": "Enter"}), "Send"),
        ("browser_press_key", json!({"ref": reference(&seen, "Send"), "key": "Space"}), "Send"),
        ("browser_type", submit, "Send"),
        ("browser_click", at("Save"), "Save"),
        ("browser_fill_form", form, "Send"),
    ];
    let page = person.devtools.page(&person.pages.url("/")).await;
    let done = async || page.evaluate("(window.paid ?? 0) + (window.sent ?? 0)").await;
    for (count, (tool, arguments, words)) in ways.into_iter().enumerate() {
        panel.until("document.querySelector('.request') === null").await;
        let read = async {
            let asked = json!(format!("“{words}”"));
            let is_shown = format!(
                "document.querySelector('.request:not([data-pressed])')?.innerText.includes({asked}) ?? false"
            );
            panel.until(&is_shown).await;
            let text = panel.text().await;
            panel.press(".request button", "Deny").await;
            text
        };
        let (said, question) = tokio::join!(client.call(tool, arguments.clone()), read);
        assert_eq!(said.code.as_deref(), Some("not_allowed"), "{tool}: {}", said.text);
        let is_confirmed = question.contains("asks you to confirm this");
        assert!(question.contains(words) && is_confirmed, "{tool}: {question}");
        assert!(!question.contains("Always allow"), "{tool}: {question}");
        assert_eq!(done().await, count, "{tool}: nothing was done");
        allowed(&panel, client, tool, arguments, "Allow once").await;
        eventually("it was done", || async { (done().await == count + 1).then_some(()) }).await;
    }
    let drag = json!({"from": reference(&seen, "Pay now"), "by": {"x": 1, "y": 0}});
    let said = answered(&panel, client, "browser_drag", drag, "Deny").await;
    assert_eq!(said.code.as_deref(), Some("not_allowed"), "letting go is a click: {}", said.text);
    // Where the focus is a moment later nobody knows.
    client.refused("browser_press_key", json!({"key": "Enter"}), "invalid_arguments").await;
    // Code of the agent's own, too.
    let code = json!({"function": "() => document.title"});
    allowed(&panel, client, "browser_evaluate", code.clone(), "Allow once").await;
    let said = answered(&panel, client, "browser_evaluate", code, "Deny").await;
    assert!(said.failed, "{}", said.text);
}

#[tokio::test]
async fn a_choice_is_judged_by_its_own_words() {
    let page = "<!doctype html><title>Account</title><h1>Account</h1>\
        <select aria-label=Plan onchange='window.chosen = this.value'>\
        <option>Basic<option>Large<option>Delete my account</select>\
        <label><input type=checkbox onchange='window.ticked = this.checked'> \
        I authorise the transfer</label>\
        <label><input type=checkbox> Remember me</label>";
    let person = Person::start(&[("/", page)]).await;
    let (client, panel) = (&person.client, person.panel().await);
    let there = json!({"url": person.pages.url("/")});
    allowed(&panel, client, "browser_navigate", there, "Allow for this session").await;
    let seen =
        allowed(&panel, client, "browser_snapshot", json!({}), "Allow for this session").await;
    let at = |name: &str| reference(&seen, name);
    let plan = |value: &str| json!({"ref": at("Plan"), "values": [value]});
    allowed(&panel, client, "browser_select_option", plan("Large"), "Always allow").await;
    client.ok("browser_select_option", plan("Basic")).await;
    let fill = |name: &str, value: Value| json!({"fields": [{"ref": at(name), "value": value}]});
    client.ok("browser_fill_form", fill("Remember me", json!(true))).await;
    let ways = [
        ("browser_select_option", plan("Delete my account"), "Delete my account"),
        ("browser_fill_form", fill("Plan", json!("Delete my account")), "Delete my account"),
        (
            "browser_fill_form",
            fill("I authorise the transfer", json!(true)),
            "I authorise the transfer",
        ),
        (
            "browser_click",
            json!({"ref": at("I authorise the transfer")}),
            "I authorise the transfer",
        ),
    ];
    for (tool, arguments, words) in ways {
        let answer = async {
            let question = panel.asked().await;
            assert!(question.contains(words), "{tool}: {question}");
            panel.press(".request button", "Deny").await;
            panel.until("document.querySelector('.request') === null").await;
        };
        let (said, ()) = tokio::join!(client.call(tool, arguments), answer);
        assert_eq!(said.code.as_deref(), Some("not_allowed"), "{tool}: {}", said.text);
    }
    let page = person.devtools.page(&person.pages.url("/")).await;
    assert_eq!(
        page.evaluate("[window.chosen, window.ticked ?? null]").await,
        json!(["Basic", null])
    );
    let delete = plan("Delete my account");
    allowed(&panel, client, "browser_select_option", delete, "Allow once").await;
    assert_eq!(page.evaluate("window.chosen").await, "Delete my account");
}
