//! Questions about single elements, all answered by one function of the page
//! script: `browser_query_dom`, `browser_find_by_text`, `browser_count_elements`,
//! `browser_get_attributes`, `browser_get_computed_styles`,
//! `browser_check_visibility`, `browser_check_element_state`,
//! `browser_get_form_values`.

use outrigger_protocol::facts::flags;
use outrigger_protocol::inspection::Selector;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::query::{Answer, Asked, Found};
use crate::selector::Wanted;

use super::asking::Question;
use super::entries::entry;
use super::words::{condition, sight};

/// How many elements are told, unless a call says otherwise.
const LIMIT: u32 = 20;
/// And at most.
const MOST: u32 = 200;
/// Texts of elements are cut here in lists.
const TEXT_LETTERS: u32 = 120;

/// `browser_query_dom`.
pub(super) struct QueryDom;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct QueryDomParams {
    /// CSS, text=…, role=button[name="…"], xpath=… or a ref.
    selector: String,
    /// Default: 20.
    limit: Option<u32>,
    /// Leave out what can't be seen.
    visible_only: Option<bool>,
}

impl Question for QueryDom {
    type Params = QueryDomParams;
    const NAME: &str = "browser_query_dom";
    const DESCRIPTION: &str = "Elements by selector, in all frames and shadow roots: ref, role, name, text, a CSS selector.";

    fn wanted(params: &QueryDomParams) -> Wanted {
        Wanted::read(&params.selector)
    }

    fn asked(params: &QueryDomParams) -> Asked {
        Asked {
            limit: params.limit.unwrap_or(LIMIT).clamp(1, MOST),
            visible_only: params.visible_only.unwrap_or(false),
            text_letters: TEXT_LETTERS,
            ..Asked::default()
        }
    }

    fn tell(_: &QueryDomParams, answer: &Answer) -> Vec<String> {
        list(answer)
    }
}

/// `browser_find_by_text`.
pub(super) struct FindByText;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindByTextParams {
    /// What the element shows.
    text: String,
    /// All of what it shows, not a part.
    exact: Option<bool>,
    /// Default: 20.
    limit: Option<u32>,
}

impl Question for FindByText {
    type Params = FindByTextParams;
    const NAME: &str = "browser_find_by_text";
    const DESCRIPTION: &str = "The innermost visible elements that show a text.";

    fn problem(params: &FindByTextParams) -> Option<&'static str> {
        params.text.trim().is_empty().then_some("`text` has no words to look for")
    }

    fn wanted(params: &FindByTextParams) -> Wanted {
        let exact = params.exact.unwrap_or(false);
        Wanted::Matching(Selector::Text { text: params.text.clone(), exact, choices: true })
    }

    fn asked(params: &FindByTextParams) -> Asked {
        Asked {
            limit: params.limit.unwrap_or(LIMIT).clamp(1, MOST),
            visible_only: true,
            text_letters: TEXT_LETTERS,
            ..Asked::default()
        }
    }

    fn tell(_: &FindByTextParams, answer: &Answer) -> Vec<String> {
        list(answer)
    }
}

/// `browser_count_elements`.
pub(super) struct CountElements;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CountElementsParams {
    /// CSS, text=…, role=…, xpath=…
    selector: String,
    /// Only those that can be seen.
    visible_only: Option<bool>,
}

impl Question for CountElements {
    type Params = CountElementsParams;
    const NAME: &str = "browser_count_elements";
    const DESCRIPTION: &str = "How many elements match, in all frames.";
    const NONE_IS_AN_ANSWER: bool = true;
    const IS_OUR_OWN: bool = true;

    fn wanted(params: &CountElementsParams) -> Wanted {
        Wanted::read(&params.selector)
    }

    fn asked(params: &CountElementsParams) -> Asked {
        Asked { visible_only: params.visible_only.unwrap_or(false), ..Asked::default() }
    }

    fn tell(_: &CountElementsParams, answer: &Answer) -> Vec<String> {
        vec![answer.total.to_string()]
    }
}

/// `browser_get_attributes`.
pub(super) struct GetAttributes;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetAttributesParams {
    /// A ref, CSS, text=…, role=…, xpath=…
    selector: String,
    /// Only these. Default: all.
    attributes: Option<Vec<String>>,
    /// Default: 5.
    limit: Option<u32>,
}

impl Question for GetAttributes {
    type Params = GetAttributesParams;
    const NAME: &str = "browser_get_attributes";
    const DESCRIPTION: &str = "HTML attributes of elements.";

    fn wanted(params: &GetAttributesParams) -> Wanted {
        Wanted::read(&params.selector)
    }

    fn asked(params: &GetAttributesParams) -> Asked {
        Asked {
            limit: params.limit.unwrap_or(5).clamp(1, MOST),
            attributes: Some(params.attributes.clone().unwrap_or_default()),
            ..Asked::default()
        }
    }

    fn tell(_: &GetAttributesParams, answer: &Answer) -> Vec<String> {
        with_details(answer, |found| {
            let attributes = found.item.attributes.iter();
            attributes.map(|(name, value)| format!("  {name}={value:?}")).collect()
        })
    }
}

/// `browser_get_computed_styles`.
pub(super) struct GetComputedStyles;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetComputedStylesParams {
    /// A ref, CSS, text=…, role=…, xpath=…
    selector: String,
    /// CSS properties. Default: the common ones.
    properties: Option<Vec<String>>,
    /// Default: 3.
    limit: Option<u32>,
}

/// What people mostly ask for.
const COMMON_STYLES: [&str; 20] = [
    "display",
    "position",
    "visibility",
    "opacity",
    "z-index",
    "width",
    "height",
    "margin",
    "padding",
    "border",
    "color",
    "background-color",
    "font-family",
    "font-size",
    "font-weight",
    "line-height",
    "text-align",
    "overflow",
    "cursor",
    "pointer-events",
];

impl Question for GetComputedStyles {
    type Params = GetComputedStylesParams;
    const NAME: &str = "browser_get_computed_styles";
    const DESCRIPTION: &str = "Computed CSS of elements.";

    fn wanted(params: &GetComputedStylesParams) -> Wanted {
        Wanted::read(&params.selector)
    }

    fn asked(params: &GetComputedStylesParams) -> Asked {
        let common = || COMMON_STYLES.map(str::to_owned).to_vec();
        Asked {
            limit: params.limit.unwrap_or(3).clamp(1, MOST),
            styles: params.properties.clone().unwrap_or_else(common),
            ..Asked::default()
        }
    }

    fn tell(params: &GetComputedStylesParams, answer: &Answer) -> Vec<String> {
        let mut lines = with_details(answer, |found| {
            let styles = found.item.styles.iter();
            styles.map(|(name, value)| entry(&format!("  {name}: {value}"))).collect()
        });
        let first = answer.found.first().map(|found| &found.item.styles);
        let unknown: Vec<&str> = params
            .properties
            .iter()
            .flatten()
            .filter(|name| first.is_some_and(|styles| !styles.contains_key(*name)))
            .map(String::as_str)
            .collect();
        if !unknown.is_empty() {
            lines.push(format!("No such CSS property: {}", unknown.join(", ")));
        }
        lines
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ElementParams {
    /// A ref, CSS, text=…, role=…, xpath=…
    selector: String,
}

fn one_or_few() -> Asked {
    Asked { limit: 5, ..Asked::default() }
}

/// `browser_check_visibility`.
pub(super) struct CheckVisibility;

impl Question for CheckVisibility {
    type Params = ElementParams;
    const NAME: &str = "browser_check_visibility";
    const DESCRIPTION: &str =
        "Whether a person can see an element, where it is, and if not, why not.";

    fn wanted(params: &ElementParams) -> Wanted {
        Wanted::read(&params.selector)
    }

    fn asked(_: &ElementParams) -> Asked {
        one_or_few()
    }

    fn tell(_: &ElementParams, answer: &Answer) -> Vec<String> {
        answer.found.iter().map(|found| format!("{}: {}", found.headline(), sight(found))).collect()
    }
}

/// `browser_check_element_state`.
pub(super) struct CheckElementState;

impl Question for CheckElementState {
    type Params = ElementParams;
    const NAME: &str = "browser_check_element_state";
    const DESCRIPTION: &str = "Enabled, checked, expanded, focused and so on.";

    fn wanted(params: &ElementParams) -> Wanted {
        Wanted::read(&params.selector)
    }

    fn asked(_: &ElementParams) -> Asked {
        one_or_few()
    }

    fn tell(_: &ElementParams, answer: &Answer) -> Vec<String> {
        let lines = answer.found.iter();
        lines.map(|found| format!("{}: {}", found.headline(), condition(found))).collect()
    }
}

/// `browser_get_form_values`.
pub(super) struct GetFormValues;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetFormValuesParams {
    /// Only in this element, or in the form of this field.
    r#ref: Option<String>,
    /// Default: 100.
    limit: Option<u32>,
}

const FIELDS: &str = "input:not([type=hidden]):not([type=submit]):not([type=button]):not([type=reset]):not([type=image]),\
     select,textarea,[contenteditable]:not([contenteditable=false]),[role=textbox],[role=searchbox],[role=combobox],\
     [role=checkbox],[role=switch],[role=radio],[role=slider],[role=spinbutton]";

impl Question for GetFormValues {
    type Params = GetFormValuesParams;
    const NAME: &str = "browser_get_form_values";
    const DESCRIPTION: &str = "Every field with its value. Secrets are named, never shown.";

    fn wanted(_: &GetFormValuesParams) -> Wanted {
        Wanted::Matching(Selector::Css(FIELDS.to_owned()))
    }

    fn within(params: &GetFormValuesParams) -> Option<&str> {
        params.r#ref.as_deref()
    }

    fn asked(params: &GetFormValuesParams) -> Asked {
        Asked {
            limit: params.limit.unwrap_or(100).clamp(1, MOST),
            attributes: Some(vec!["name".to_owned(), "type".to_owned()]),
            ..Asked::default()
        }
    }

    fn tell(_: &GetFormValuesParams, answer: &Answer) -> Vec<String> {
        let mut lines: Vec<String> = answer.found.iter().map(field).collect();
        lines.extend(more(answer));
        lines
    }
}

fn field(found: &Found) -> String {
    let attributes = &found.item.attributes;
    let mut line = found.headline();
    for name in ["name", "type"] {
        if let Some(value) = attributes.get(name) {
            line.push_str(&format!(" {name}={value:?}"));
        }
    }
    let hidden = if found.item.hidden_by.is_some() { ", hidden" } else { "" };
    format!("{line}: {}{hidden}", condition(found))
}

fn list(answer: &Answer) -> Vec<String> {
    let mut lines: Vec<String> = answer
        .found
        .iter()
        .map(|found| {
            let item = &found.item;
            let mut line = found.headline();
            if !item.text.is_empty() && item.text != item.name {
                line.push_str(&format!(" text={:?}", item.text));
            }
            if let Some(reason) = &item.hidden_by {
                line.push_str(&format!(" hidden({reason})"));
            } else if item.flags & flags::IN_VIEWPORT == 0 {
                line.push_str(" off-screen");
            }
            format!("{line} css={:?}", item.hint)
        })
        .collect();
    lines.extend(more(answer));
    lines
}

fn with_details(answer: &Answer, details: impl Fn(&Found) -> Vec<String>) -> Vec<String> {
    let mut lines = Vec::new();
    for found in &answer.found {
        lines.push(found.headline());
        let told = details(found);
        lines.extend(if told.is_empty() { vec!["  (none)".to_owned()] } else { told });
    }
    lines.extend(more(answer));
    lines
}

fn more(answer: &Answer) -> Option<String> {
    let left = (answer.total as usize).saturating_sub(answer.found.len());
    (left > 0).then(|| format!("… {left} more match"))
}
