//! `outrigger workflow`: what a shell does is recorded, shown, run and removed.

use crate::program::Program;
use outrigger_testkit::Pages;
use serde_json::Value;

const SHOP: &str = r#"<!doctype html><title>Shop</title><h1>Tea shop</h1>
<label>Search <input id="q"></label>
<button onclick="out.textContent = q.value.length + ' results for ' + q.value">Go</button>
<h2>Found</h2><p id="out"></p>"#;

#[tokio::test]
async fn what_a_shell_does_is_recorded_and_run_again() {
    let program = Program::new();
    let pages = Pages::serve(&[("/", SHOP)]).await;
    let _hub = program.up(&["--launch", "--headless"]).await;
    let none = program.ok(&["workflow", "list"]).await;
    assert!(none.starts_with("There are no workflows."), "{none}");

    program.ok(&["workflow", "record", "start", "look", "--description", "Looks for tea"]).await;
    program.ok(&["navigate", &pages.url("/")]).await;
    let search = r#"{"selector": "role=textbox[name=\"Search\"]", "text": "oolong"}"#;
    program.ok(&["call", "browser_type", search]).await;
    program.ok(&["call", "browser_click", r#"{"selector": "text=Go"}"#]).await;
    program.ok(&["call", "browser_get_value", r##"{"selector": "#out"}"##]).await;
    let said = program.ok(&["workflow", "record", "stop"]).await;
    assert!(said.starts_with("Recorded look, 4 steps, as record "), "{said}");

    let listed = program.ok(&["workflow", "list"]).await;
    assert_eq!(listed, "look  4 steps  [search]  Looks for tea\n");
    let shown: Value =
        serde_json::from_str(&program.ok(&["workflow", "show", "look"]).await).unwrap();
    assert_eq!(shown["parameters"]["search"]["default"], "oolong");

    let said = program.ok(&["workflow", "run", "look", "search=tea"]).await;
    assert!(said.contains("\"found\": \"3 results for tea\""), "{said}");
    let said = program.ok(&["workflow", "run", "look"]).await;
    assert!(said.contains("6 results for oolong"), "{said}");
    // What went wrong is told where results are, and the code says that it did.
    let said = program.run(&["workflow", "run", "look", "tea=1"]).await;
    assert!(!said.status.success());
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(text.contains("`tea` is no parameter of it. look takes search"), "{text}");
    assert!(program.fails(&["workflow", "run", "look", "tea"]).await.contains("NAME=VALUE"));

    assert_eq!(program.ok(&["workflow", "rm", "look"]).await, "Removed look.\n");
    assert!(program.fails(&["workflow", "show", "look"]).await.contains("there is no workflow"));
}
