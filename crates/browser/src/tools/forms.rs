//! Hands that fill: `browser_fill_form` and `browser_select_option`.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Shown, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::StakesBy;
use outrigger_protocol::helm::Detail;
use outrigger_protocol::link::RiskLevel;
use outrigger_snapshot::{ElementKey, Ref};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use crate::browsers::LinkedBrowser;
use crate::desk::{Desk, ElementTarget};
use crate::error::BrowserError;
use crate::filling::{Field, Manner, fill};
use crate::page::Page;
use crate::sighting;
use crate::stakes;
use crate::target::{Aimed, Pointed, Target, also_pointed, pointed_of};

use super::acting::Done;
use super::upload::{Judged, SaidFile, give, judge};

/// More fields than any form that is filled in one go.
const MOST_FIELDS: usize = 200;

/// `browser_fill_form`.
pub(super) struct FillForm(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FillFormParams {
    fields: Vec<FieldParams>,
    /// Send the form after.
    submit: Option<bool>,
}

/// Some clients take no schema that says nothing.
fn any_value(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": ["string", "boolean", "number", "array", "object"]})
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FieldParams {
    r#ref: String,
    /// Text, true/false, option(s), 2026-01-31, #rrggbb, {files: [path]}.
    #[schemars(schema_with = "any_value")]
    value: FieldValue,
}

/// Models write `true` and `"true"`, `5` and `"5"` alike.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a text, a number, true or false, a list of texts, or {files}")]
enum FieldValue {
    Switch(bool),
    Number(serde_json::Number),
    Text(String),
    Several(Vec<String>),
    Files { files: Vec<SaidFile> },
}

impl FieldValue {
    /// For people.
    fn in_words(&self) -> String {
        match self.files() {
            Some(files) => files.iter().map(SaidFile::name).collect::<Vec<_>>().join("\n"),
            None => self.values().join("\n"),
        }
    }

    fn values(&self) -> Vec<String> {
        match self {
            FieldValue::Files { .. } => Vec::new(),
            FieldValue::Switch(on) => vec![on.to_string()],
            FieldValue::Number(number) => vec![number.to_string()],
            FieldValue::Text(text) => vec![text.clone()],
            FieldValue::Several(texts) => texts.clone(),
        }
    }

    fn files(&self) -> Option<&[SaidFile]> {
        match self {
            FieldValue::Files { files } => Some(files),
            _ => None,
        }
    }
}

/// The fields of one tab, all of one origin.
pub(super) struct FormTarget {
    browser: Arc<LinkedBrowser>,
    tab: i64,
    /// Those that a ref names, at once; all of them once the call may look into the page.
    fields: Vec<Field>,
    sought: Vec<Sought>,
}

/// A field that has to be looked for in the page, and its place among the others.
struct Sought {
    at: usize,
    selector: String,
    values: Vec<String>,
    files: bool,
}

/// What begins so is looked for; anything else is a ref, or a mistake.
const LOOKED_FOR: &str = "target=";

impl Tool for FillForm {
    type Params = FillFormParams;
    type Target = FormTarget;

    fn definition(&self) -> Definition {
        Definition::of::<FillFormParams>(
            "browser_fill_form",
            "Fill many fields of any kind at once; says which did not take their value.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(
        &self,
        params: &FillFormParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<FormTarget>, Fault> {
        let mut aim: Option<Aim<FormTarget>> = None;
        if params.fields.len() > MOST_FIELDS {
            return Err(unfit(format!("A call fills {MOST_FIELDS} fields at most.")));
        }
        // A form with files in it is an upload.
        let has_files = params.fields.iter().any(|field| field.value.files().is_some());
        let key = if has_files { PermissionKey::Upload } else { PermissionKey::Input };
        let mut with = Vec::new();
        for (at, FieldParams { r#ref: said, value }) in params.fields.iter().enumerate() {
            let (files, values) = (value.files().is_some(), value.values());
            let (mut found, label) = if said.starts_with(LOOKED_FOR) {
                let looked_for = Target::of_selector(said);
                let Aim { target: Aimed { browser, tab, .. }, access, shown } =
                    self.0.aim_at(circumstances, key.clone(), &looked_for).await?;
                let sought = vec![Sought { at, selector: said.clone(), values, files }];
                let target = FormTarget { browser, tab, fields: Vec::new(), sought };
                let label = shown.element.clone().unwrap_or_else(|| said.clone());
                (Aim { target, access, shown }, label)
            } else {
                let name: Ref = said.parse().map_err(|_| BrowserError::NotARef(said.clone()))?;
                let found = self.0.aim_at_element(circumstances, key.clone(), name).await?;
                let label = found.shown.element.clone().unwrap_or_else(|| said.clone());
                let ElementTarget { browser, tab, element } = found.target;
                let fields = vec![Field { name, element, values, files }];
                let target = FormTarget { browser, tab, fields, sought: Vec::new() };
                (Aim { target, access: found.access, shown: found.shown }, label)
            };
            with.push(Detail { label, text: value.in_words() });
            match &mut aim {
                Some(aim) if aim.access.origin == found.access.origin => {
                    aim.target.fields.append(&mut found.target.fields);
                    aim.target.sought.append(&mut found.target.sought);
                }
                Some(_) => {
                    return Err(unfit(format!(
                        "{said} is in a frame of another site than the fields before it. Fill \
                         the fields of each site in a call of their own."
                    )));
                }
                None => aim = Some(found),
            }
        }
        let aim = aim.ok_or_else(|| unfit("`fields` is empty. Name at least one.".to_owned()))?;
        Ok(Aim { shown: Shown { element: None, with, ..aim.shown.clone() }, ..aim })
    }

    async fn execute(
        &self,
        mut call: Authorized<FillFormParams, FormTarget>,
    ) -> Result<Reply, Fault> {
        let submit = call.params.submit.unwrap_or(false);
        let is_guarded = stakes::is_guarded(&call);
        let (browser, tab) = (call.target.browser.clone(), call.target.tab);
        let mut turn = self.0.turn(&call, (&browser, tab)).await?;
        find_sought(&mut call, (&browser, tab)).await?;
        if is_guarded {
            let by =
                |field: &Field| (Some(field.element.clone()), StakesBy::Fill(field.values.clone()));
            let all: Vec<_> = call.target.fields.iter().map(by).collect();
            turn = stakes::confirm_all(&self.0, turn, &mut call, (&browser, tab), &all).await?;
        }
        let fields = &call.target.fields;
        let page = Page::of_tab(&browser, tab, call.leave(), call.circumstances.deadline);
        let given = self.judged(&call)?;
        // What sends it may be called something else once it is filled.
        let submit_at_once = submit && given.is_empty() && !is_guarded;
        let mut settled =
            fill(&page, &turn, fields, Manner { submit: submit_at_once, choose: false }).await?;
        for (element, files) in &given {
            settled = give(&page, &turn, element, files).await?;
        }
        let last = call.target.fields.last().map(|field| field.element.clone());
        if let (true, false, Some(last)) = (submit, submit_at_once, last) {
            let (place, by) = ((&browser, tab), StakesBy::Enter);
            turn = stakes::confirm_at(&self.0, turn, &mut call, place, Some(&last), &by)
                .await
                .map_err(|fault| {
                    let message = format!("The fields are filled, but not submitted. {fault}");
                    Fault::tool(fault.code(), message)
                })?;
            let page = Page::of_tab(&browser, tab, call.leave(), call.circumstances.deadline);
            let last = call.target.fields.last().map_or(&[][..], std::slice::from_ref);
            settled = fill(&page, &turn, last, Manner { submit: true, choose: false }).await?;
        }
        let fields = &call.target.fields;
        let page = Page::of_tab(&browser, tab, call.leave(), call.circumstances.deadline);
        let count = match fields.len() {
            1 => "1 field".to_owned(),
            several => format!("{several} fields"),
        };
        let and = if submit { " and submitted the form" } else { "" };
        let said = format!("Filled {count}{and}.");
        let done = Done { said, to: None, settled, tells_focus: false };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}

/// Puts the fields that have to be looked for in their places among the others, and
/// tells whoever follows the call of all.
async fn find_sought(
    call: &mut Authorized<FillFormParams, FormTarget>,
    (browser, tab): (&Arc<LinkedBrowser>, i64),
) -> Result<(), Fault> {
    let sought = std::mem::take(&mut call.target.sought);
    let page = Page::of_tab(browser, tab, call.leave(), call.circumstances.deadline);
    let mut fields = call.target.fields.clone();
    for Sought { at, selector, values, files } in sought {
        let Pointed { name, element, .. } =
            also_pointed(&page, &Target::of_selector(selector)).await?;
        fields.insert(at, Field { name, element, values, files });
    }
    let pointed = fields.iter().map(|Field { name, element, .. }| Pointed {
        name: *name,
        element: element.clone(),
        point: None,
        told: None,
    });
    sighting::tell(&call.circumstances, &page, &pointed.collect::<Vec<_>>()).await;
    call.target.fields = fields;
    Ok(())
}

impl FillForm {
    /// The files of the fields that take some, judged before any field is touched.
    fn judged(
        &self,
        call: &Authorized<FillFormParams, FormTarget>,
    ) -> Result<Vec<(ElementKey, Vec<Judged>)>, BrowserError> {
        let fields = call.params.fields.iter().zip(&call.target.fields);
        let with_files = fields.filter_map(|(said, field)| Some((said.value.files()?, field)));
        with_files
            .map(|(files, field)| Ok((field.element.clone(), judge(&self.0, files)?)))
            .collect()
    }
}

fn unfit(message: String) -> Fault {
    Fault::Tool { code: ErrorCode::InvalidArguments, message, page: None }
}

/// `browser_select_option`.
pub(super) struct SelectOption(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SelectOptionParams {
    #[serde(flatten)]
    target: Target,
    /// Labels or values.
    #[serde(deserialize_with = "one_or_several")]
    values: Vec<String>,
}

/// Models write `"a"` and `["a"]` alike.
fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a list of texts")]
    enum Said {
        One(String),
        Several(Vec<String>),
    }
    Ok(match Said::deserialize(deserializer)? {
        Said::One(text) => vec![text],
        Said::Several(texts) => texts,
    })
}

impl Tool for SelectOption {
    type Params = SelectOptionParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<SelectOptionParams>(
            "browser_select_option",
            "Choose exactly these options of a list or a dropdown.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(
        &self,
        params: &SelectOptionParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<Aimed>, Fault> {
        Ok(self.0.aim_at(circumstances, PermissionKey::Input, &params.target).await?)
    }

    async fn execute(
        &self,
        mut call: Authorized<SelectOptionParams, Aimed>,
    ) -> Result<Reply, Fault> {
        let by = StakesBy::Fill(call.params.values.clone());
        let turn = self.0.turn(&call, call.target.place()).await?;
        let turn = stakes::confirm(&self.0, turn, &mut call, &by).await?;
        let (page, pointed) = pointed_of(&call).await?;
        let (name, element) = (pointed.name, pointed.element.clone());
        let field = Field { name, element, values: call.params.values.clone(), files: false };
        let settled = fill(&page, &turn, &[field], Manner { choose: true, submit: false }).await?;
        let said = format!("Chosen in {name}.");
        let done = Done { said, to: Some(&pointed), settled, tells_focus: false };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}
