//! `outrigger record`: living records of a running hub, from a shell.

use std::io::Read as _;
use std::process::ExitCode;

use anyhow::Context as _;
use http::Method;
use outrigger_hub::{Settings, api_client};
use serde_json::{Value, json};

use super::hub_api::{ask, columns};
use crate::arguments::{PutRecord, Record, RecordOrder, Which};
use crate::output::{Output, write_line};

const RECORDS: &str = "/api/v1/records";
const EVENTS: &str = "/api/v1/events";

const SHOWN_TITLE: usize = 40;

pub(crate) async fn run(
    settings: &Settings,
    record: Record,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let (answer, lines) = match record.order {
        RecordOrder::List(which) => {
            let path = format!("{RECORDS}?{}", query(&which));
            let answer = ask(settings, Method::GET, &path, None, output).await?;
            let lines = listed(&answer);
            (answer, lines)
        }
        RecordOrder::Get { id, full } => {
            let path =
                if full { format!("{RECORDS}/{id}/full") } else { format!("{RECORDS}/{id}") };
            let answer = ask(settings, Method::GET, &path, None, output).await?;
            let lines = vec![format!("{answer:#}")];
            (answer, lines)
        }
        RecordOrder::Put(put) => put_record(settings, put, output).await?,
        RecordOrder::Rm { id } => {
            let path = format!("{RECORDS}/{id}");
            let body = json!({"version": version(settings, &id, output).await?});
            let answer = ask(settings, Method::DELETE, &path, Some(&body), output).await?;
            (answer, vec![format!("Removed {id}.")])
        }
        RecordOrder::Watch(which) => return watch(settings, &which, output).await,
    };
    output.result(&answer, || lines);
    Ok(ExitCode::SUCCESS)
}

/// Makes a record, or changes the one that is named.
async fn put_record(
    settings: &Settings,
    put: PutRecord,
    output: Output,
) -> anyhow::Result<(Value, Vec<String>)> {
    let text = match put.context.as_str() {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("standard input can't be read")?;
            text
        }
        text => text.to_owned(),
    };
    let context: Value = serde_json::from_str(&text).context("the context is no JSON")?;
    let mut body = json!({"context": context});
    if let Some(title) = put.title {
        body["title"] = json!(title);
    }
    if !put.tag.is_empty() {
        body["tags"] = json!(put.tag);
    }
    if let Some(id) = put.id {
        let current = match put.version {
            Some(version) => version,
            None => version(settings, &id, output).await?,
        };
        body["version"] = json!(current);
        let path = format!("{RECORDS}/{id}");
        let answer = ask(settings, Method::PATCH, &path, Some(&body), output).await?;
        let line = format!("{id} has version {} now.", answer["version"]);
        return Ok((answer, vec![line]));
    }
    let schema = put.schema.context("say which schema with --schema, or which record with --id")?;
    body["schema_name"] = json!(schema);
    let answer = ask(settings, Method::POST, RECORDS, Some(&body), output).await?;
    let line = format!("Made {}.", text_of(&answer["id"]));
    Ok((answer, vec![line]))
}

async fn version(settings: &Settings, id: &str, output: Output) -> anyhow::Result<u64> {
    let path = format!("{RECORDS}/{id}/full");
    let record = ask(settings, Method::GET, &path, None, output).await?;
    record["version"].as_u64().context("the hub told no version")
}

/// Until nobody reads it any more, or the hub ends.
async fn watch(settings: &Settings, which: &Which, output: Output) -> anyhow::Result<ExitCode> {
    if which.schema.is_none() && which.tag.is_empty() {
        anyhow::bail!("say what to watch, with --schema or --tag");
    }
    let path = format!("{EVENTS}?{}", query(which));
    api_client::follow(settings, &path, |event, data| match event {
        "begun" => output.say("Watching. End with Control-C."),
        _ if output.json => write_line(std::io::stdout(), data),
        "gap" => output.say("More happened than could be told. Watch again."),
        _ => {
            let data: Value = serde_json::from_str(data).unwrap_or_default();
            let (id, schema) = (text_of(&data["id"]), text_of(&data["schema_name"]));
            let line = format!("{event}  {id}  {schema}  version {}", data["version"]);
            write_line(std::io::stdout(), &line);
        }
    })
    .await?;
    output.say("The hub has ended.");
    Ok(ExitCode::SUCCESS)
}

fn query(which: &Which) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    if let Some(schema) = &which.schema {
        query.append_pair("schema_name", schema);
    }
    if !which.tag.is_empty() {
        query.append_pair("all_tags", &which.tag.join(","));
    }
    query.finish()
}

fn listed(answer: &Value) -> Vec<String> {
    let items = answer["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    if items.is_empty() {
        return vec!["There are no such records.".to_owned()];
    }
    let versions: Vec<String> = items.iter().map(|item| format!("v{}", item["version"])).collect();
    let titles: Vec<String> = items.iter().map(|item| plain(text_of(&item["title"]))).collect();
    let rows: Vec<[&str; 4]> = items
        .iter()
        .zip(versions.iter().zip(&titles))
        .map(|(item, (version, title))| {
            [text_of(&item["id"]), text_of(&item["schema_name"]), version, title]
        })
        .collect();
    let mut lines = columns(&rows);
    if !answer["next"].is_null() {
        lines.push("There are more; name a schema or a tag.".to_owned());
    }
    lines
}

/// Titles are a page's words: on one line, and nothing that a terminal would obey.
fn plain(title: &str) -> String {
    let letters = title.chars().filter(|letter| !letter.is_control());
    letters.take(SHOWN_TITLE).collect()
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
