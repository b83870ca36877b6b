//! Which records are asked for in an address: the same words for finding and for
//! following them. What a selector may say is the store's to judge.

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use outrigger_protocol::records::{ContextCondition, Selector};
use serde::Deserialize;
use utoipa::openapi::schema::{AdditionalProperties, SchemaType};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, OneOfBuilder, RefOr, Schema, Type as OneType};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::failure::Failure;

/// Entries of one list, empty ones included.
const MOST_TAGS: usize = 64;

/// What is asked for. Lists of tags are written with commas.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Asked {
    /// Of this schema.
    #[param(pattern = "^[A-Za-z0-9._-]+$", max_length = 256, nullable = false)]
    schema_name: Option<String>,
    /// With one of these tags at least.
    #[param(inline, value_type = TagList, required = false, style = Form, explode = false)]
    any_tags: Option<String>,
    /// The same, for a single one.
    #[param(inline, value_type = TagList, required = false, style = Form, explode = false)]
    tag: Option<String>,
    /// With all of these tags.
    #[param(inline, value_type = TagList, required = false, style = Form, explode = false)]
    all_tags: Option<String>,
    /// With a context of which all of this holds, as JSON.
    #[param(inline, value_type = Conditions, required = false)]
    context_match: Option<String>,
    #[param(ignore)]
    pub(super) owner: Option<String>,
    #[param(ignore)]
    pub(super) from: Option<String>,
    #[param(ignore)]
    pub(super) limit: Option<u32>,
    #[param(ignore)]
    pub(super) last_event_id: Option<String>,
}

impl Asked {
    /// What an address asks for.
    pub(super) fn read(query: Result<Query<Asked>, QueryRejection>) -> Result<Self, Failure> {
        query.map(|Query(asked)| asked).map_err(|error| Failure::Query(error.body_text()))
    }

    /// Refuses words that mean nothing there.
    pub(super) fn refuse(words: &[(&str, bool)]) -> Result<(), Failure> {
        match words.iter().find(|(_, is_said)| *is_said) {
            Some((word, _)) => Err(Failure::Query(format!("{word} means nothing here"))),
            None => Ok(()),
        }
    }

    pub(super) fn selector(&self) -> Result<Selector, Failure> {
        let context_match: Vec<ContextCondition> = match &self.context_match {
            None => Vec::new(),
            Some(text) => serde_json::from_str(text)
                .map_err(|error| Failure::Query(format!("context_match: {error}")))?,
        };
        for list in [&self.any_tags, &self.tag, &self.all_tags].into_iter().flatten() {
            if list.split(',').count() > MOST_TAGS {
                return Err(Failure::Query(format!("a list has more than {MOST_TAGS} tags")));
            }
        }
        let any_tags = words([&self.any_tags, &self.tag]);
        let (schema_name, all_tags) = (self.schema_name.clone(), words([&self.all_tags]));
        Ok(Selector { schema_name, any_tags, all_tags, context_match })
    }
}

/// The words of lists, each once.
fn words<'a>(lists: impl IntoIterator<Item = &'a Option<String>>) -> Vec<String> {
    let each = lists.into_iter().flatten().flat_map(|list| list.split(',')).map(str::trim);
    let mut words: Vec<String> = Vec::new();
    for word in each.filter(|word| !word.is_empty()) {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

/// A list of tags as the description has it. An empty one is left out.
struct TagList;

impl ToSchema for TagList {}

impl PartialSchema for TagList {
    fn schema() -> RefOr<Schema> {
        let tag = ObjectBuilder::new().schema_type(OneType::String).max_length(Some(256));
        let tag = tag.pattern(Some("^[^,\\u0000]*$"));
        ArrayBuilder::new().items(tag).max_items(Some(MOST_TAGS)).into()
    }
}

/// Conditions as the description has them: what a value may be depends on how it is
/// compared, and only a list of all ways says so.
struct Conditions;

impl ToSchema for Conditions {}

impl PartialSchema for Conditions {
    fn schema() -> RefOr<Schema> {
        let list = ArrayBuilder::new().items(anything()).max_items(Some(32));
        let condition = OneOfBuilder::new()
            .item(condition(&["eq", "ne"], None))
            .item(condition(&["contains_any"], Some(list.into())))
            .item(condition(&["gt", "lt"], Some(one_of([OneType::Number, OneType::String]))))
            .item(condition(&["exists"], Some(one_of([OneType::Boolean, OneType::Null]))));
        ArrayBuilder::new().items(condition).max_items(Some(16)).into()
    }
}

fn condition(operators: &[&str], value: Option<Schema>) -> ObjectBuilder {
    let path = ObjectBuilder::new().schema_type(OneType::String).max_length(Some(256));
    let path = path.pattern(Some("^(\\$\\.)?[^.\\u0000]+(\\.[^.\\u0000]+)*$"));
    let operator = ObjectBuilder::new().schema_type(OneType::String);
    let operator = operator.enum_values(Some(operators.iter().copied()));
    let condition = ObjectBuilder::new().property("path", path).required("path");
    let condition = condition.property("op", operator).required("op");
    let is_needed =
        operators.iter().any(|operator| ["contains_any", "gt", "lt"].contains(operator));
    let condition = match value {
        None => condition.property("value", anything()),
        Some(value) if is_needed => condition.property("value", value).required("value"),
        Some(value) => condition.property("value", value),
    };
    condition.additional_properties(Some(AdditionalProperties::FreeForm(false)))
}

fn anything() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(SchemaType::AnyValue)
}

fn one_of(types: [OneType; 2]) -> Schema {
    ObjectBuilder::new().schema_type(SchemaType::from_iter(types)).into()
}
