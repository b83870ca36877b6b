//! Asking a running hub for something, which the user may have to confirm.

use std::time::Duration;

use http::Method;
use outrigger_hub::Settings;
use outrigger_hub::api_client;
use serde_json::Value;

use crate::output::Output;

/// What needs no confirmation is answered well before.
const AT_ONCE: Duration = Duration::from_millis(500);

/// What nobody is asked to confirm; its database may take its time.
const RECORDS: &str = "/api/v1/records";

/// What the hub answers; what it refuses is an error in its own words.
pub(super) async fn ask(
    settings: &Settings,
    method: Method,
    path: &str,
    body: Option<&Value>,
    output: Output,
) -> anyhow::Result<Value> {
    let waits = match method == Method::GET || path.starts_with(RECORDS) {
        true => "Waiting for the hub…",
        false => "Waiting for you to confirm in the browser…",
    };
    let asking = api_client::request(settings, method, path, body);
    tokio::pin!(asking);
    let answer = tokio::select! {
        answer = &mut asking => answer?,
        () = tokio::time::sleep(AT_ONCE) => {
            output.say(waits);
            asking.await?
        }
    };
    if !answer.is_ok {
        let error = answer.body["error"].as_str().unwrap_or("the hub refused it");
        anyhow::bail!("{}", error.trim_end_matches('.'));
    }
    Ok(answer.body)
}

/// Cells below each other, each as wide as the widest of its column.
pub(super) fn columns<const N: usize>(rows: &[[&str; N]]) -> Vec<String> {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let lines = rows.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(at, cell)| format!("{cell:<w$}", w = width(at)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_below_each_other() {
        let rows = [["allow", "tab_read:dom", "a"], ["deny", "*", "münchen"]];
        assert_eq!(columns(&rows), ["allow  tab_read:dom  a", "deny   *             münchen"]);
    }
}
