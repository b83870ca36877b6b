//! An answer allows a call, and lets no session go on: one that was paused or stopped
//! while its question was open does nothing after it.

use outrigger_testkit::{Kit, Panel};
use serde_json::json;

#[tokio::test]
async fn a_session_that_was_held_while_its_question_was_open_does_not_act_after_the_answer() {
    let kit = Kit::start().await;
    let pairing = kit.hub().pairing_token().reveal();
    let mut panel = Panel::link(kit.settings.port, "person", pairing).await;
    let client = kit.client().await;
    let go = |ms: u64| {
        let url = "https://a.example/";
        client.call("browser_navigate", json!({"url": url, "timeoutMs": ms}))
    };
    let order = |command: &str, question: &serde_json::Value| json!({"command": command, "session": question["session"]});
    for (held, code) in [("pause", "paused"), ("stop", "stopped")] {
        let hold = async {
            let question = panel.question().await.unwrap();
            panel.command(order(held, &question)).await;
            panel.until_standing(&question["session"], code).await;
            panel.decide(&question, true, "once").await;
            question
        };
        let (said, question) = tokio::join!(go(700), hold);
        assert_eq!(said.code.as_deref(), Some(code), "{}", said.text);
        panel.command(order("resume", &question)).await;
        panel.until_standing(&question["session"], "working").await;
    }
    // Resumed in time, it goes on; only then is anything asked of the browser.
    let hold = async {
        let question = panel.question().await.unwrap();
        assert_eq!(panel.asked, [] as [serde_json::Value; 0], "nothing was done before");
        panel.command(order("pause", &question)).await;
        panel.decide(&question, true, "once").await;
        panel.command(order("resume", &question)).await;
        panel.request().await
    };
    let (_, asked) = tokio::join!(go(3000), hold);
    assert_eq!(asked["type"], "tabs", "{asked}");
}
