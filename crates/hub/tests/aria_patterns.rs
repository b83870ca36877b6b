//! The patterns of the ARIA Authoring Practices, as pages of our own (`aria/`),
//! each operated from start to end with refs out of snapshots.

use outrigger_testkit::{Kit, McpClient, Pages, reference};
use serde_json::{Value, json};

macro_rules! patterns {
    ($($name:literal),*) => {
        &[$((concat!("/", $name), include_str!(concat!("aria/", $name, ".html")))),*]
    };
}

/// A browser in which one pattern after the other is opened.
struct Bench {
    client: McpClient,
    pages: Pages,
    _kit: Kit,
}

impl Bench {
    async fn with(patterns: &[(&str, &str)]) -> Self {
        let (_kit, pages, client) = Kit::with_browser(patterns).await;
        Bench { client, pages, _kit }
    }

    /// Opens a pattern's page and looks at it.
    async fn open(&self, pattern: &str) -> String {
        let url = self.pages.url(&format!("/{pattern}"));
        self.client.ok("browser_navigate", json!({"url": url})).await;
        self.look().await
    }

    async fn look(&self) -> String {
        self.client.ok("browser_snapshot", json!({})).await
    }

    async fn click(&self, seen: &str, name: &str) -> String {
        self.client.ok("browser_click", json!({"ref": reference(seen, name)})).await;
        self.look().await
    }

    async fn press(&self, keys: &[&str]) -> String {
        for key in keys {
            self.client.ok("browser_press_key", json!({"key": key})).await;
        }
        self.look().await
    }

    async fn choose(&self, seen: &str, name: &str, values: Value) -> String {
        let call = json!({"ref": reference(seen, name), "values": values});
        self.client.ok("browser_select_option", call).await;
        self.look().await
    }

    async fn fill(&self, seen: &str, name: &str, value: Value) -> String {
        let field = json!({"ref": reference(seen, name), "value": value});
        self.client.ok("browser_fill_form", json!({"fields": [field]})).await;
        self.look().await
    }
}

/// The line of a control, from its tag to its end.
fn control<'a>(seen: &'a str, name: &str) -> &'a str {
    let quoted = format!("\"{name}\"");
    let found = seen
        .split('<')
        .find(|control| control.split('>').next().is_some_and(|control| control.contains(&quoted)));
    found.and_then(|control| control.split('>').next()).unwrap_or_else(|| panic!("{name}: {seen}"))
}

/// The ref of the row with these words in it: a row is named by its cells.
fn row_of(seen: &str, words: &str) -> String {
    let line = seen.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{seen}"));
    let (_, rest) = line.split_once("<row ").unwrap_or_else(|| panic!("no row: {line}"));
    rest.chars().take_while(char::is_ascii_alphanumeric).collect()
}

fn has(seen: &str, name: &str, state: &str) {
    assert!(control(seen, name).contains(state), "{name} is not {state} in:\n{seen}");
}

fn has_not(seen: &str, name: &str, state: &str) {
    assert!(!control(seen, name).contains(state), "{name} is {state} in:\n{seen}");
}

#[tokio::test]
async fn tabs_listboxes_comboboxes_and_radios_are_chosen_from() {
    let bench = Bench::with(patterns!("tabs", "listbox", "combobox", "radio")).await;

    let seen = bench.open("tabs").await;
    assert!(seen.contains("Born in Cologne") && !seen.contains("Eisenach"), "{seen}");
    let seen = bench.click(&seen, "Bach").await;
    has(&seen, "Bach", "selected");
    assert!(seen.contains("Born in Eisenach") && !seen.contains("Cologne"), "{seen}");
    let seen = bench.press(&["ArrowRight"]).await;
    has(&seen, "Cage", "selected focused");
    assert!(seen.contains("Born in Los Angeles"), "{seen}");

    let seen = bench.open("listbox").await;
    let seen = bench.click(&seen, "Venus").await;
    has(&seen, "Venus", "selected");
    let seen = bench.press(&["End"]).await;
    has(&seen, "Saturn", "selected");
    let seen = bench.choose(&seen, "Moons", json!(["Io", "Titan"])).await;
    for (moon, chosen) in [("Io", true), ("Europa", false), ("Titan", true)] {
        assert_eq!(control(&seen, moon).contains("selected"), chosen, "{moon} in:\n{seen}");
    }

    let seen = bench.open("combobox").await;
    let fruit = json!({"ref": reference(&seen, "Fruit"), "text": "ap"});
    bench.client.ok("browser_type", fruit).await;
    let seen = bench.press(&["ArrowDown", "ArrowDown", "Enter"]).await;
    assert!(seen.contains("Chosen Apricot"), "{seen}");
    let seen = bench.choose(&seen, "Fruit", json!(["Cherry"])).await;
    assert!(seen.contains("Chosen Cherry"), "{seen}");
    has(&seen, "Fruit", "value=\"Cherry\"");
    let seen = bench.choose(&seen, "Size", json!(["Large"])).await;
    has(&seen, "Size", "collapsed");
    assert!(seen.contains("Large") && !seen.contains("Medium"), "{seen}");

    let seen = bench.open("radio").await;
    let seen = bench.click(&seen, "Thick").await;
    has(&seen, "Thick", "checked");
    let seen = bench.press(&["ArrowDown"]).await;
    has(&seen, "Stuffed", "checked focused");
    let seen = bench.fill(&seen, "Stuffed", json!("Thin")).await;
    has(&seen, "Thin", "checked");
    has_not(&seen, "Stuffed", "checked");
}

#[tokio::test]
async fn menus_menubars_and_toolbars_are_opened_and_used() {
    let bench = Bench::with(patterns!("menu", "menubar", "toolbar")).await;

    let seen = bench.open("menu").await;
    has(&seen, "Actions", "collapsed");
    let open = bench.click(&seen, "Actions").await;
    has(&open, "Copy", "focused");
    let delete = json!({"ref": reference(&open, "Delete")});
    bench.client.refused("browser_click", delete, "disabled").await;
    let seen = bench.click(&open, "Paste").await;
    assert!(seen.contains("Did Paste"), "{seen}");
    bench.click(&seen, "Actions").await;
    let seen = bench.press(&["Enter"]).await;
    assert!(seen.contains("Did Copy"), "{seen}");
    has(&seen, "Actions", "collapsed focused");

    let seen = bench.open("menubar").await;
    let seen = bench.click(&seen, "Font").await;
    has(&seen, "Serif", "checked");
    let seen = bench.click(&seen, "Mono").await;
    has(&seen, "Mono", "checked");
    has_not(&seen, "Serif", "checked");
    bench.press(&["Escape", "ArrowRight", "ArrowDown"]).await;
    let seen = bench.press(&["Enter"]).await;
    has(&seen, "Bold", "checked");
    let seen = bench.fill(&seen, "Bold", json!(false)).await;
    has_not(&seen, "Bold", "checked");

    let seen = bench.open("toolbar").await;
    let seen = bench.click(&seen, "Bold").await;
    has(&seen, "Bold", "checked");
    assert!(seen.contains("Sample in bold"), "{seen}");
    let seen = bench.press(&["ArrowRight", "Enter"]).await;
    assert!(seen.contains("Sample in italic"), "{seen}");
    let paste = json!({"ref": reference(&seen, "Paste")});
    bench.client.refused("browser_click", paste, "disabled").await;
}

#[tokio::test]
async fn what_is_folded_away_is_opened_trees_and_dialogs_too() {
    let bench =
        Bench::with(patterns!("dialog", "disclosure", "accordion", "carousel", "tree", "treegrid"))
            .await;

    let seen = bench.open("dialog").await;
    let seen = bench.click(&seen, "Add address").await;
    has(&seen, "Street", "focused");
    let behind = json!({"ref": reference(&seen, "Add address")});
    bench.client.refused("browser_click", behind, "covered").await;
    let seen = bench.fill(&seen, "Street", json!("Long Lane 4")).await;
    let seen = bench.click(&seen, "Save").await;
    assert!(seen.contains("Lives at Long Lane 4") && !seen.contains("New address"), "{seen}");
    bench.click(&seen, "Add address").await;
    let seen = bench.press(&["Escape"]).await;
    assert!(!seen.contains("New address"), "{seen}");

    let seen = bench.open("disclosure").await;
    assert!(!seen.contains("Leaves in hot water"), "{seen}");
    let seen = bench.click(&seen, "What is tea?").await;
    assert!(seen.contains("Leaves in hot water"), "{seen}");
    let seen = bench.click(&seen, "And coffee?").await;
    assert!(seen.contains("Beans, ground"), "{seen}");

    let seen = bench.open("accordion").await;
    let seen = bench.click(&seen, "Billing").await;
    has(&seen, "Billing", "expanded");
    has(&seen, "Personal", "collapsed");
    let seen = bench.fill(&seen, "Address", json!("Long Lane 4")).await;
    has(&seen, "Address", "value=\"Long Lane 4\"");

    let seen = bench.open("carousel").await;
    let seen = bench.click(&seen, "Stop slide show").await;
    assert!(seen.contains("Mountains"), "{seen}");
    let seen = bench.click(&seen, "Next slide").await;
    assert!(seen.contains("Rivers") && !seen.contains("Mountains"), "{seen}");
    let seen = bench.click(&seen, "Previous slide").await;
    let seen = bench.click(&seen, "Previous slide").await;
    assert!(seen.contains("Forests"), "{seen}");

    let seen = bench.open("tree").await;
    let seen = bench.click(&seen, "Documents").await;
    has(&seen, "Documents", "expanded");
    let seen = bench.click(&seen, "report.txt").await;
    has(&seen, "report.txt", "selected");
    let seen = bench.press(&["ArrowDown", "Enter"]).await;
    has(&seen, "readme.txt", "selected");
    has_not(&seen, "report.txt", "selected");

    let seen = bench.open("treegrid").await;
    assert!(!seen.contains("Re: Treegrids"), "{seen}");
    let row = row_of(&seen, "Treegrids are awesome");
    bench.client.ok("browser_click", json!({"ref": row})).await;
    let seen = bench.look().await;
    assert!(seen.contains("Re: Treegrids"), "{seen}");
    for (key, is_open) in [("ArrowLeft", false), ("ArrowRight", true)] {
        bench.client.ok("browser_press_key", json!({"ref": row, "key": key})).await;
        let seen = bench.look().await;
        assert_eq!(seen.contains("Re: Treegrids"), is_open, "{key}: {seen}");
    }
}

#[tokio::test]
async fn sliders_spinbuttons_and_switches_take_values() {
    let bench = Bench::with(patterns!("slider", "spinbutton", "switch")).await;

    let seen = bench.open("slider").await;
    has(&seen, "Volume", "value=\"50\"");
    bench.click(&seen, "Volume").await;
    let seen = bench.press(&["PageUp", "ArrowRight"]).await;
    has(&seen, "Volume", "value=\"61\"");
    let seen = bench.press(&["Home"]).await;
    has(&seen, "Volume", "value=\"0\"");
    for value in ["73", "100", "4", "5", "0"] {
        let seen = bench.fill(&seen, "Volume", json!(value)).await;
        has(&seen, "Volume", &format!("value=\"{value}\""));
    }
    for (value, code) in
        [("101", "invalid_arguments"), ("loud", "invalid_arguments"), ("7.5", "not_editable")]
    {
        let field = json!({"ref": reference(&seen, "Volume"), "value": value});
        let said =
            bench.client.refused("browser_fill_form", json!({"fields": [field]}), code).await;
        assert!(!said.contains("Filled"), "{said}");
    }

    let seen = bench.open("spinbutton").await;
    let seen = bench.click(&seen, "Add guest").await;
    has(&seen, "Adults", "value=\"3\"");
    bench.click(&seen, "Adults").await;
    let seen = bench.press(&["ArrowDown", "ArrowDown", "ArrowDown"]).await;
    has(&seen, "Adults", "value=\"1\"");
    let seen = bench.fill(&seen, "Adults", json!("6")).await;
    has(&seen, "Adults", "value=\"6\"");

    let seen = bench.open("switch").await;
    let seen = bench.click(&seen, "Notifications").await;
    has(&seen, "Notifications", "checked");
    let seen = bench.press(&["Space"]).await;
    has_not(&seen, "Notifications", "checked");
    let seen = bench.fill(&seen, "Lights", json!(false)).await;
    has_not(&seen, "Lights", "checked");
    let seen = bench.fill(&seen, "Heating", json!(true)).await;
    has(&seen, "Heating", "checked");
}
