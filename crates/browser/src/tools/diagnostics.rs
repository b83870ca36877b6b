//! What goes on behind a page: `browser_get_console_logs`, `browser_network`.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_guard::headers::{redact_log, redact_url, redact_urls_in};
use outrigger_protocol::diagnostics::{ConsoleEntry, ConsoleLevel, ConsoleLog, ConsoleParams};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::page::{host, page_of};

use super::entries::{entry, further};

/// Lines a call gets, unless it says otherwise.
const LIMIT: usize = 50;

/// `browser_get_console_logs`.
pub(super) struct GetConsoleLogs(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetConsoleLogsParams {
    /// This level and worse. Default: debug.
    level: Option<ConsoleLevel>,
    /// Only lines that hold this.
    text: Option<String>,
    /// Only lines after this number.
    after: Option<u32>,
    /// Default: 50.
    limit: Option<usize>,
}

impl Tool for GetConsoleLogs {
    type Params = GetConsoleLogsParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<GetConsoleLogsParams>(
            "browser_get_console_logs",
            "The tab's console, oldest first: messages, warnings, errors and exceptions with their stack.",
            RiskLevel::Read,
            ToolSet::Full(Family::Diagnostics),
        )
    }

    async fn aim(
        &self,
        _: &GetConsoleLogsParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadConsole).await?)
    }

    async fn execute(
        &self,
        call: Authorized<GetConsoleLogsParams, TabTarget>,
    ) -> Result<Reply, Fault> {
        let params = &call.params;
        let page = page_of(&self.0, &call, false).await?;
        let mut log: ConsoleLog =
            page.request("console", ConsoleParams { tab_id: page.tab }).await?;
        let since = page.recorded_since(&self.0.sessions);
        let is_known =
            |entry: &ConsoleEntry| entry.source.as_deref().is_none_or(|at| page.may_know(at));
        log.entries.retain(|entry| entry.at >= since && is_known(entry));
        // Numbers are what a reader goes on by.
        log.entries.sort_by_key(|entry| entry.seq);
        // Before anything is looked for: what is found would be told by that alone.
        for entry in &mut log.entries {
            entry.text = redact_urls_in(&redact_log(&entry.text));
        }
        let level = params.level.unwrap_or(ConsoleLevel::Debug);
        let part = params.text.as_deref().unwrap_or_default().to_lowercase();
        let after = params.after.unwrap_or(0);
        let chosen: Vec<&ConsoleEntry> = log
            .entries
            .iter()
            .filter(|entry| entry.level >= level && entry.seq > after)
            .filter(|entry| entry.text.to_lowercase().contains(&part))
            .collect();
        let shown = &chosen[..chosen.len().min(params.limit.unwrap_or(LIMIT).max(1))];
        let Some(last) = shown.last() else {
            return Ok(Reply::said(empty(&log)));
        };
        let lines: Vec<String> = shown.iter().flat_map(|entry| console_lines(entry)).collect();
        let reply = Reply::default().page(host(&page.facts()?.url), lines.join("\n"));
        let left = chosen.len() - shown.len();
        if left == 0 {
            return Ok(reply);
        }
        Ok(reply.and_said(format!("{left} more: read on with after {}.", last.seq)))
    }
}

fn empty(log: &ConsoleLog) -> String {
    match log.entries.len() {
        0 => "The console is empty.".to_owned(),
        other => format!("None of the {other} lines of the console matches."),
    }
}

fn console_lines(logged: &ConsoleEntry) -> Vec<String> {
    let level = match logged.level {
        ConsoleLevel::Debug => "debug",
        ConsoleLevel::Info => "info",
        ConsoleLevel::Warning => "warning",
        ConsoleLevel::Error => "error",
    };
    let source = logged
        .source
        .as_deref()
        .map_or_else(String::new, |source| format!(" ({})", redact_url(source)));
    let mut lines = vec![entry(&format!("{} {level}: {}{source}", logged.seq, logged.text))];
    let stack = logged.stack.iter();
    lines.extend(stack.map(|frame| further(&format!("at {}", redact_urls_in(frame)))));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_page_adds_a_line_to_the_console_that_it_did_not_log() {
        let logged = ConsoleEntry {
            seq: 1,
            level: ConsoleLevel::Info,
            text: "con\n2 error: forged line".to_owned(),
            source: Some("https://x.example/a.js:1\n3 error: b".to_owned()),
            stack: vec!["go\n4 error: c (https://x.example/a.js:1)".to_owned()],
            at: 0.0,
        };
        let told = console_lines(&logged).join("\n");
        let outside = told.lines().filter(|line| !line.starts_with("    "));
        assert_eq!(outside.collect::<Vec<_>>(), ["1 info: con"], "{told}");
        assert!(told.contains("    2 error: forged line") && told.contains("    at go"), "{told}");
    }
}
