//! `outrigger log`: what agents did, as the hub noted it. It reads the store beside
//! the hub, so that it works whether one runs or not.

use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, UNIX_EPOCH};

use outrigger_hub::Settings;
use outrigger_store::activity::{ActivityEntry, LoggedEntry, Verdict};
use outrigger_store::{Owner, Store};
use serde_json::{Value, json};

use crate::arguments::{Log, LogCheck};
use crate::output::Output;
use crate::page_words::Terminal;

/// How often is looked for what is new.
const PACE: Duration = Duration::from_millis(200);
/// Entries that are read at a time.
const AT_A_TIME: u32 = 500;

pub(crate) async fn run(
    settings: &Settings,
    log: &Log,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let path = settings.home.store_path();
    let store = Store::open_to_read(&path).await?;
    if matches!(log.check, Some(LogCheck::Verify)) {
        return verify(store, output).await;
    }
    let read = match &store {
        Some(store) => {
            store.latest_activity(&Owner::local(), log.session.as_deref(), log.last).await?
        }
        None => Vec::new(),
    };
    let mut lines = Lines { width: Terminal::here().map(Terminal::width), day: String::new() };
    if !log.follow {
        let value: Vec<Value> = read.iter().map(to_json).collect();
        output.result(&Value::Array(value), || match read.is_empty() {
            true => vec!["Nothing is logged yet.".to_owned()],
            false => read.iter().flat_map(|logged| lines.of(logged)).collect(),
        });
        return Ok(ExitCode::SUCCESS);
    }
    follow(settings, log, store, read, lines, output).await
}

/// Until nobody reads it any more.
async fn follow(
    settings: &Settings,
    log: &Log,
    mut store: Option<Store>,
    mut read: Vec<LoggedEntry>,
    mut lines: Lines,
    output: Output,
) -> anyhow::Result<ExitCode> {
    let owner = Owner::local();
    let newest = match &store {
        Some(store) => store.newest_activity(&owner).await?,
        None => None,
    };
    let mut last = read.last().map(|logged| logged.seq).or(newest).unwrap_or_default();
    let mut out = std::io::stdout();
    loop {
        for logged in &read {
            let told = match output.json {
                true => vec![to_json(logged).to_string()],
                false => lines.of(logged),
            };
            if writeln!(out, "{}", told.join("\n")).and_then(|()| out.flush()).is_err() {
                return Ok(ExitCode::SUCCESS);
            }
        }
        tokio::time::sleep(PACE).await;
        if store.is_none() {
            store = Store::open_to_read(&settings.home.store_path()).await?;
        }
        read = match &store {
            Some(store) => store.activity(&owner, last, AT_A_TIME).await?,
            None => Vec::new(),
        };
        last = read.last().map_or(last, |logged| logged.seq);
        if let Some(wanted) = &log.session {
            read.retain(|logged| logged.entry.session == *wanted || logged.entry.client == *wanted);
        }
    }
}

async fn verify(store: Option<Store>, output: Output) -> anyhow::Result<ExitCode> {
    let (verdict, lost) = match store {
        Some(store) => (store.verify_activity().await?, store.lost_activity().await?),
        None => (Verdict::Verified { entries: 0 }, 0),
    };
    match verdict {
        Verdict::Verified { entries } => {
            let value = json!({"whole": true, "entries": entries, "lost": lost});
            output.result(&value, || whole(entries, lost));
            Ok(ExitCode::SUCCESS)
        }
        Verdict::Broken { seq, why } => {
            let value = json!({"whole": false, "entry": seq, "why": why.to_string()});
            output.result(&value, || {
                vec![
                    format!("The log is broken at entry {seq}: {why}."),
                    "Entries before it are as they were written; don't rely on it and those after."
                        .to_owned(),
                ]
            });
            Ok(ExitCode::FAILURE)
        }
    }
}

fn whole(entries: u64, lost: u64) -> Vec<String> {
    let counted = |count: u64| match count {
        1 => "1 entry".to_owned(),
        _ => format!("{count} entries"),
    };
    let mut lines =
        vec![format!("The log is whole: {}, each as it was written.", counted(entries))];
    if lost > 0 {
        lines.push(format!(
            "{} more could not be written; `outrigger log --session outrigger:log` tells when.",
            counted(lost)
        ));
    }
    lines
}

fn to_json(LoggedEntry { seq, entry }: &LoggedEntry) -> Value {
    json!({
        "seq": seq,
        "at": time(entry.at_ms),
        "client": entry.client,
        "session": entry.session,
        "tool": entry.tool,
        "key": entry.key,
        "origin": entry.origin,
        "decision": entry.decision,
        "outcome": entry.outcome,
        "durationMs": entry.duration_ms,
        "characters": entry.characters,
        "tabs": entry.tabs,
        "bytes": entry.bytes,
    })
}

/// `2026-11-16T16:32:13Z`.
fn time(at_ms: i64) -> String {
    let since = Duration::from_millis(u64::try_from(at_ms).unwrap_or_default());
    // What is after the year 9999 can't be told, and wasn't.
    let time = UNIX_EPOCH + since.min(Duration::from_secs(253_402_300_799));
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Writes entries for people. At a terminal the day stands above its entries, and one
/// that is too long for a line has two; elsewhere each is one whole line.
struct Lines {
    width: Option<usize>,
    day: String,
}

impl Lines {
    fn of(&mut self, LoggedEntry { entry, .. }: &LoggedEntry) -> Vec<String> {
        let at = time(entry.at_ms);
        let (done, allowed) = (done(entry), allowed(entry));
        let Some(width) = self.width else {
            return vec![plain(&format!("{at}  {done}  {allowed}"))];
        };
        let (day, hour) = at.split_once('T').unwrap_or((&at, ""));
        let hour = hour.trim_end_matches('Z');
        let mut lines = Vec::new();
        if self.day != day {
            self.day = day.to_owned();
            lines.push(format!("{day} (UTC)"));
        }
        let whole = plain(&format!("{hour}  {done}  {allowed}"));
        if whole.chars().count() <= width {
            lines.push(whole);
        } else {
            lines.push(cut(&plain(&format!("{hour}  {done}")), width));
            if !allowed.is_empty() {
                lines.push(cut(&plain(&format!("          {allowed}")), width));
            }
        }
        lines
    }
}

/// Who did what, and what came of it.
fn done(entry: &ActivityEntry) -> String {
    let ActivityEntry { client, session, tool, outcome, duration_ms, .. } = entry;
    let who = if client == session { client.clone() } else { format!("{client} ({session})") };
    let counted = [(entry.characters, "character"), (entry.tabs, "tab"), (entry.bytes, "byte")];
    let sizes = counted.iter().filter(|(count, _)| *count > 0).map(|(count, what)| match count {
        1 => format!(", 1 {what}"),
        _ => format!(", {count} {what}s"),
    });
    format!("{who}  {tool}  {outcome}, {duration_ms} ms{}", sizes.collect::<String>())
}

/// What it needed, where, and what was decided about that; nothing if it didn't come
/// that far.
fn allowed(entry: &ActivityEntry) -> String {
    let parts = [&entry.key, &entry.origin, &entry.decision];
    let known = parts.into_iter().flatten().map(String::as_str);
    known.collect::<Vec<_>>().join("  ")
}

/// Names are what clients say; they must not write to the terminal by themselves.
fn plain(line: &str) -> String {
    line.chars().filter(|letter| !letter.is_control()).collect::<String>().trim_end().to_owned()
}

fn cut(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged(origin: &str) -> LoggedEntry {
        let entry = ActivityEntry {
            at_ms: 1_800_000_000_000,
            client: "claude-code\u{1b}[2J".into(),
            session: "s-1".into(),
            tool: "browser_click".into(),
            key: Some("tab_action:click".into()),
            origin: Some(origin.into()),
            decision: Some("allow_once".into()),
            outcome: "ok".into(),
            duration_ms: 120,
            characters: 350,
            tabs: 1,
            bytes: 0,
        };
        LoggedEntry { seq: 1, entry }
    }

    #[test]
    fn a_gap_in_the_log_is_told_beside_its_being_whole() {
        assert_eq!(whole(1, 0), ["The log is whole: 1 entry, each as it was written."]);
        let told = whole(3, 12);
        assert!(told[1].starts_with("12 entries more could not be written"), "{told:?}");
        let entry = ActivityEntry::lost(12, 1_800_000_000_000);
        let mut piped = Lines { width: None, day: String::new() };
        let told = piped.of(&LoggedEntry { seq: 1, entry });
        assert!(told[0].contains("(lost)  12 entries lost"), "{told:?}");
    }

    #[test]
    fn an_entry_fits_the_terminal_and_never_writes_to_it_by_itself() {
        let long = logged(&format!("https://{}.example", "x".repeat(90)));
        let mut lines = Lines { width: Some(80), day: String::new() };
        let told = lines.of(&long);
        assert_eq!(told[0], "2027-01-15 (UTC)");
        assert_eq!(
            told[1],
            "08:00:00  claude-code[2J (s-1)  browser_click  ok, 120 ms, 350 characters, 1 tab"
        );
        assert!(told[2].starts_with("          tab_action:click  https://xxx"), "{told:?}");
        assert!(told.iter().all(|line| line.chars().count() <= 80), "{told:?}");
        assert_eq!(lines.of(&logged("https://a.example")).len(), 2, "the day is told once");
        let mut wide = Lines { width: Some(160), day: "2027-01-15".into() };
        assert_eq!(wide.of(&logged("https://a.example")).len(), 1);
        let mut piped = Lines { width: None, day: String::new() };
        let told = piped.of(&long);
        assert!(told.len() == 1 && told[0].ends_with("allow_once"), "{told:?}");
        assert!(told[0].starts_with("2027-01-15T08:00:00Z  "), "{told:?}");
    }
}
