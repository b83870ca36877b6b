//! `outrigger workflow`: records what the shell's session does, and runs it again. To
//! run and to record are tools, called like any other; the rest is about their records.

use std::process::ExitCode;

use anyhow::Context as _;
use http::Method;
use outrigger_hub::Settings;
use serde_json::{Map, Value, json};

use super::call::call_tool;
use super::hub_api::{ask, columns};
use crate::arguments::{RecordWorkflow, Workflow, WorkflowOrder};
use crate::output::Output;

const RECORDS: &str = "/api/v1/records";
const SCHEMA: &str = "browser.workflow.v1";

const SHOWN_DESCRIPTION: usize = 60;

pub(crate) async fn run(
    settings: &Settings,
    workflow: Workflow,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let (answer, lines) = match workflow.order {
        WorkflowOrder::List => {
            let workflows = all(settings, None, output).await?;
            let lines = listed(&workflows);
            (json!({"items": workflows}), lines)
        }
        WorkflowOrder::Show { name } => {
            let context = one(settings, &name, output).await?["context"].take();
            let lines = vec![format!("{context:#}")];
            (context, lines)
        }
        WorkflowOrder::Rm { name } => {
            let record = one(settings, &name, output).await?;
            let path = format!("{RECORDS}/{}", text_of(&record["id"]));
            let body = json!({"version": record["version"]});
            let answer = ask(settings, Method::DELETE, &path, Some(&body), output).await?;
            (answer, vec![format!("Removed {name}.")])
        }
        WorkflowOrder::Run { name, params, timeout_ms } => {
            let mut arguments = json!({"name": name, "params": given(&params)?});
            if let Some(timeout) = timeout_ms {
                arguments["timeoutMs"] = json!(timeout);
            }
            return call_tool(settings, "workflow_run", arguments, None, output).await;
        }
        WorkflowOrder::Record(order) => {
            let arguments = match order {
                RecordWorkflow::Start { name, description, user } => {
                    let who = if user { "user" } else { "agent" };
                    json!({
                        "action": "start", "name": name, "description": description, "who": who,
                    })
                }
                RecordWorkflow::Stop => json!({"action": "stop"}),
                RecordWorkflow::Cancel => json!({"action": "cancel"}),
            };
            return call_tool(settings, "workflow_record", arguments, None, output).await;
        }
    };
    output.result(&answer, || lines);
    Ok(ExitCode::SUCCESS)
}

/// `to=Bern` each. What comes after the first `=` is taken as it is.
fn given(params: &[String]) -> anyhow::Result<Map<String, Value>> {
    let each = params.iter().map(|param| {
        let (name, value) =
            param.split_once('=').with_context(|| format!("{param:?} is not NAME=VALUE"))?;
        Ok((name.to_owned(), Value::from(value)))
    });
    each.collect()
}

/// The records of all workflows, or of those of a name.
async fn all(
    settings: &Settings,
    name: Option<&str>,
    output: Output,
) -> anyhow::Result<Vec<Value>> {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("schema_name", SCHEMA);
    if let Some(name) = name {
        let named = json!([{"path": "name", "op": "eq", "value": name}]);
        query.append_pair("context_match", &named.to_string());
    }
    let query = query.finish();
    let mut found = Vec::new();
    let mut from = String::new();
    loop {
        let path = format!("{RECORDS}?{query}{from}");
        let mut page = ask(settings, Method::GET, &path, None, output).await?;
        for item in page["items"].as_array().into_iter().flatten() {
            let path = format!("{RECORDS}/{}/full", text_of(&item["id"]));
            found.push(ask(settings, Method::GET, &path, None, output).await?);
        }
        let Value::String(next) = page["next"].take() else { return Ok(found) };
        from = format!("&from={next}");
    }
}

async fn one(settings: &Settings, name: &str, output: Output) -> anyhow::Result<Value> {
    let mut found = all(settings, Some(name), output).await?;
    match found.len() {
        0 => anyhow::bail!(
            "there is no workflow called {name:?}; `outrigger workflow list` shows those there are"
        ),
        1 => found.pop().context("the workflow is gone"),
        _ => anyhow::bail!(
            "several workflows are called {name:?}; `outrigger record rm ID` removes one: {}",
            ids(&found)
        ),
    }
}

fn ids(records: &[Value]) -> String {
    records.iter().map(|record| text_of(&record["id"])).collect::<Vec<_>>().join(", ")
}

fn listed(records: &[Value]) -> Vec<String> {
    if records.is_empty() {
        let record = "`outrigger workflow record start NAME` begins one.";
        return vec![format!("There are no workflows. {record}")];
    }
    let rows: Vec<[String; 4]> = records.iter().map(row).collect();
    let rows: Vec<[&str; 4]> = rows.iter().map(|row| row.each_ref().map(String::as_str)).collect();
    columns(&rows)
}

fn row(record: &Value) -> [String; 4] {
    let context = &record["context"];
    let parameters = context["parameters"].as_object();
    let takes = parameters.into_iter().flatten().map(|(name, parameter)| {
        let default = parameter["default"].as_str();
        let is_required = parameter["required"].as_bool().unwrap_or(default.is_none());
        if is_required { name.clone() } else { format!("[{name}]") }
    });
    let steps = match context["steps"].as_array().map_or(0, Vec::len) {
        1 => "1 step".to_owned(),
        several => format!("{several} steps"),
    };
    let description = plain(text_of(&context["description"]));
    [text_of(&context["name"]).to_owned(), steps, takes.collect::<Vec<_>>().join(" "), description]
}

/// On one line, and nothing that a terminal would obey.
fn plain(words: &str) -> String {
    words.chars().filter(|letter| !letter.is_control()).take(SHOWN_DESCRIPTION).collect()
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_names_and_whatever_comes_after() {
        let params = ["to=Bern".to_owned(), "note=a=b ".to_owned(), "empty=".to_owned()];
        let expected = json!({"to": "Bern", "note": "a=b ", "empty": ""});
        assert_eq!(Value::Object(given(&params).unwrap()), expected);
        assert!(given(&["to".to_owned()]).unwrap_err().to_string().contains("NAME=VALUE"));
    }
}
