//! Which browser an action means: the one whose extension it names; or the one that has
//! its tab, or tells the page whose elements it counts. Never a guess between several.

use outrigger_protocol::records::{Context, Record};
use outrigger_records::action;
use serde_json::Value;

/// A browser that an author may work in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Here {
    pub(super) link: String,
    /// What records call its extension.
    pub(super) extension_id: String,
    /// For people.
    pub(super) words: String,
    pub(super) tabs: Vec<i64>,
    /// Not while its extension is to come back.
    pub(super) is_connected: bool,
    /// The author works there.
    pub(super) is_current: bool,
    /// What its user looks at, where that is told.
    pub(super) page: Option<Record>,
}

/// What was meant.
#[derive(Debug, PartialEq)]
pub(super) enum Meant<'h> {
    /// Wherever the author works, or any.
    Any,
    /// This one.
    One(&'h Here),
    /// None that is here.
    Nobody,
    /// Each of these could be.
    Several(Vec<&'h Here>),
}

/// The browser whose extension it names.
pub(super) fn named(action: &Context) -> Option<&str> {
    action.get("extensionId").and_then(Value::as_str)
}

/// The browser that it means.
pub(super) fn meant<'h>(browsers: &'h [Here], action: &Context) -> Meant<'h> {
    let (name, tab) = (named(action), action.get("tabId").and_then(Value::as_i64));
    let target = action.get("target");
    let is_counted = target.and_then(|target| target.get("highlightIndex")).is_some();
    if name.is_none() && tab.is_none() && !is_counted {
        return Meant::Any;
    }
    let could_be = |here: &&Here| {
        let told = here.page.as_ref().and_then(|page| action::tab_of(&page.context));
        let has_it = match (is_counted, tab) {
            (true, None) => told.is_some(),
            (true, tab) => told == tab,
            (false, Some(tab)) => here.tabs.contains(&tab),
            (false, None) => true,
        };
        has_it && name.is_none_or(|name| name == here.extension_id)
    };
    let all: Vec<&Here> = browsers.iter().filter(could_be).collect();
    match all.as_slice() {
        [] => Meant::Nobody,
        [one] => Meant::One(one),
        _ => Meant::Several(all),
    }
}

/// What to say where each of them could be meant.
pub(super) fn which_of<'h>(several: impl IntoIterator<Item = &'h Here>) -> String {
    let each = several.into_iter().map(|here| format!("{} for {}", here.extension_id, here.words));
    let each: Vec<String> = each.collect();
    format!("Several browsers could be meant. Say which one with extensionId: {}.", each.join(", "))
}

#[cfg(test)]
mod tests {
    use outrigger_protocol::records::RecordId;
    use serde_json::json;

    use super::*;

    fn context(value: Value) -> Context {
        match value {
            Value::Object(fields) => fields,
            other => panic!("{other}"),
        }
    }

    fn here(extension_id: &str, tabs: &[i64], in_front: Option<i64>) -> Here {
        let page = in_front.map(|tab| Record {
            id: RecordId::of_bits(1),
            schema_name: "browser.page.context.v1".into(),
            title: String::new(),
            tags: Vec::new(),
            context: context(json!({"session": {"tabId": tab}})),
            version: 1,
            created_at: 0,
            updated_at: 0,
            owner: "outrigger".into(),
        });
        Here {
            link: format!("link-{extension_id}"),
            extension_id: extension_id.into(),
            words: "a browser".into(),
            tabs: tabs.into(),
            is_connected: true,
            is_current: false,
            page,
        }
    }

    /// The extensions that could be meant; none where any could.
    fn of(browsers: &[Here], action: Value) -> Option<Vec<&str>> {
        match meant(browsers, &context(action)) {
            Meant::Any => None,
            Meant::One(one) => Some(vec![one.extension_id.as_str()]),
            Meant::Nobody => Some(Vec::new()),
            Meant::Several(some) => {
                Some(some.iter().map(|here| here.extension_id.as_str()).collect())
            }
        }
    }

    #[test]
    fn a_browser_is_meant_by_its_name_its_tab_or_the_page_that_it_tells() {
        let browsers = [here("a", &[7, 8], Some(7)), here("b", &[7, 9], Some(9))];
        let index = json!({"highlightIndex": 0});
        for (action, expected) in [
            (json!({"action": "back"}), None),
            (json!({"action": "back", "extensionId": "b"}), Some(vec!["b"])),
            (json!({"action": "back", "extensionId": "c"}), Some(vec![])),
            (json!({"action": "back", "tabId": 8}), Some(vec!["a"])),
            (json!({"action": "back", "tabId": 7}), Some(vec!["a", "b"])),
            (json!({"action": "back", "tabId": 7, "extensionId": "b"}), Some(vec!["b"])),
            (json!({"action": "back", "tabId": 8, "extensionId": "b"}), Some(vec![])),
            (json!({"action": "click", "target": index}), Some(vec!["a", "b"])),
            (json!({"action": "click", "target": index, "tabId": 7}), Some(vec!["a"])),
            (json!({"action": "click", "target": index, "tabId": 8}), Some(vec![])),
            (json!({"action": "click", "target": index, "extensionId": "b"}), Some(vec!["b"])),
        ] {
            assert_eq!(of(&browsers, action.clone()), expected, "{action}");
        }
        let one_tells = [here("a", &[7], None), here("b", &[7], Some(7))];
        assert_eq!(
            of(&one_tells, json!({"action": "click", "target": index})),
            Some(vec!["b"]),
            "an index counts the elements of a page that is told"
        );
    }
}
