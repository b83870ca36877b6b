//! What a page sent and got: `browser_network`.

mod source;
mod tag;

use std::collections::HashMap;
use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_guard::headers::{redact, redact_body, redact_url};
use outrigger_protocol::diagnostics::{
    NetworkDetail, NetworkList, NetworkParams, NetworkRequest, SocketMessages,
};
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};

use super::entries::entry;

/// Requests a call gets, unless it says otherwise.
const LIMIT: usize = 50;
/// Letters of a body.
const BODY_LETTERS: usize = 10_000;
/// Letters of an address in a list.
const URL_LETTERS: usize = 200;

/// The clocks of a page and of its requests agree within a fraction of this.
const SAME_MS: f64 = 1_000.0;
/// What a number and a method that are missing mean.
const BEFORE_RECORDING: &str =
    "What has no number (-) came before recording began: reload the page for methods and details.";

/// `browser_network`.
pub(super) struct Network(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NetworkToolParams {
    /// Show one request: headers and body. Without: list.
    id: Option<u32>,
    /// Only addresses that hold this.
    url: Option<String>,
    /// Only this kind: document, script, fetch, xhr, image, websocket…
    kind: Option<String>,
    /// Only failed ones, and status 400 and above.
    failed: Option<bool>,
    /// Only requests after this number.
    after: Option<u32>,
    /// Default: 50.
    limit: Option<usize>,
    /// Letters of the body. Default: 10000.
    body_letters: Option<usize>,
}

impl Tool for Network {
    type Params = NetworkToolParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<NetworkToolParams>(
            "browser_network",
            "Requests of the tab, or one of them with headers and body. Sensitive values are hidden.",
            RiskLevel::Read,
            ToolSet::Full(Family::Network),
        )
    }

    async fn aim(
        &self,
        _: &NetworkToolParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadNetwork).await?)
    }

    async fn execute(
        &self,
        call: Authorized<NetworkToolParams, TabTarget>,
    ) -> Result<Reply, Fault> {
        let page = page_of(&self.0, &call, false).await?;
        let since = page.recorded_since(&self.0.sessions);
        match call.params.id {
            Some(id) => {
                detail(&page, since, id, call.params.body_letters.unwrap_or(BODY_LETTERS)).await
            }
            None => list(&page, since, &call.params).await,
        }
    }
}

async fn list(page: &Page<'_>, since: f64, wanted: &NetworkToolParams) -> Result<Reply, Fault> {
    let params = NetworkParams::List { tab_id: page.tab };
    let mut list: NetworkList = page.request("network", params).await?;
    // Frames of other sites ask for things, too.
    list.requests.retain(|request| request.at >= since && page.may_know(&request.url));
    let list = NetworkList { requests: each_once(list.requests), ..list };
    let chosen: Vec<&NetworkRequest> =
        list.requests.iter().filter(|request| wanted.takes(request)).collect();
    if chosen.is_empty() {
        let all = list.requests.len();
        return Ok(Reply::said(match all {
            0 => "Nothing was requested yet. Recording goes on from now.".to_owned(),
            all => format!("None of the {all} requests matches."),
        }));
    }
    let shown = &chosen[..chosen.len().min(wanted.limit.unwrap_or(LIMIT).max(1))];
    let lines: Vec<String> = shown.iter().map(|request| line(request)).collect();
    let is_unrecorded = shown.iter().any(|request| request.id == 0);
    let reply = if is_unrecorded { Reply::said(BEFORE_RECORDING) } else { Reply::default() };
    let reply = reply.page(host(&page.facts()?.url), lines.join("\n"));
    let left = chosen.len() - shown.len();
    if left == 0 {
        return Ok(reply);
    }
    let last = shown.last().map_or(0, |request| request.id);
    Ok(reply.and_said(format!("{left} more: read on with after {last}, or filter.")))
}

/// Without what the page itself tells of requests that were recorded. It tells them
/// with the fragment of their address, which none is sent with.
fn each_once(requests: Vec<NetworkRequest>) -> Vec<NetworkRequest> {
    let sent = |url: &str| url.split('#').next().unwrap_or(url).to_owned();
    let mut recorded: HashMap<String, Vec<f64>> = HashMap::new();
    for request in requests.iter().filter(|request| request.id != 0) {
        recorded.entry(sent(&request.url)).or_default().push(request.at);
    }
    let is_recorded = |request: &NetworkRequest| {
        let times = recorded.get(&sent(&request.url));
        times.is_some_and(|times| times.iter().any(|at| (at - request.at).abs() <= SAME_MS))
    };
    requests.into_iter().filter(|request| request.id != 0 || !is_recorded(request)).collect()
}

impl NetworkToolParams {
    fn takes(&self, request: &NetworkRequest) -> bool {
        let has_failed =
            request.failed.is_some() || request.status.is_some_and(|status| status >= 400);
        self.url.as_ref().is_none_or(|part| redact_url(&request.url).contains(part.as_str()))
            && self.kind.as_ref().is_none_or(|kind| request.kind.eq_ignore_ascii_case(kind))
            && (self.failed != Some(true) || has_failed)
            && self.after.is_none_or(|after| request.id > after)
    }
}

/// `12 GET 200 fetch https://… application/json 1.2 kB 34 ms`.
fn line(request: &NetworkRequest) -> String {
    let mut words: Vec<String> = Vec::new();
    // What was loaded before recording began has no number to ask for.
    words.push(if request.id == 0 { "-".to_owned() } else { request.id.to_string() });
    words.push(if request.method.is_empty() { "?".to_owned() } else { request.method.clone() });
    words.push(match (&request.failed, request.status) {
        (Some(reason), _) => reason.clone(),
        (None, Some(status)) => status.to_string(),
        (None, None) if request.took_ms.is_some() => "?".to_owned(),
        (None, None) => "pending".to_owned(),
    });
    words.push(request.kind.clone());
    let url = redact_url(&request.url);
    words.push(shortened(&url, URL_LETTERS));
    words.extend(request.mime.clone());
    words.extend(request.bytes.map(size));
    if let Some(SocketMessages { sent, received }) = request.messages {
        let state = if request.took_ms.is_some() { "closed" } else { "open" };
        words.push(format!("{state}, {sent} sent, {received} received"));
    }
    words.extend(request.took_ms.map(|ms| format!("{ms:.0} ms")));
    entry(&words.join(" "))
}

async fn detail(page: &Page<'_>, since: f64, id: u32, body_letters: usize) -> Result<Reply, Fault> {
    let params = NetworkParams::Detail { tab_id: page.tab, id };
    let detail: NetworkDetail = page.request("network", params).await?;
    if detail.request.at < since || !page.may_know(&detail.request.url) {
        return Err(BrowserError::OriginChanged.into());
    }
    let mut lines = vec![line(&detail.request)];
    for (title, headers) in [
        ("request headers", &detail.request_headers),
        ("response headers", &detail.response_headers),
    ] {
        lines.push(format!("{title}:"));
        let told = headers.iter().map(|(name, value)| format!("  {name}: {}", redact(name, value)));
        lines.extend(told.map(|header| entry(&header)));
    }
    if !detail.sent_fields.is_empty() {
        lines.push(entry(&format!("sent (values not shown): {}", detail.sent_fields.join(", "))));
    }
    match (&detail.body, &detail.no_body) {
        (Some(body), _) => {
            lines.push(format!("body ({} letters):", body.chars().count()));
            let is_page = detail.request.mime.as_deref().is_some_and(|mime| mime.contains("html"));
            let body = if is_page { source::without_values(body) } else { body.clone() };
            lines.push(shortened(&redact_body(&body), body_letters));
        }
        (None, Some(reason)) => lines.push(format!("no body: {reason}")),
        (None, None) => lines.push("no body".to_owned()),
    }
    Ok(Reply::default().page(host(&detail.request.url), lines.join("\n")))
}

fn shortened(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn size(bytes: f64) -> String {
    if bytes < 1000.0 { format!("{bytes:.0} B") } else { format!("{:.1} kB", bytes / 1000.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: u32, url: &str, at: f64) -> NetworkRequest {
        serde_json::from_value(serde_json::json!({
            "id": id, "method": "", "url": url, "kind": "fetch", "at": at,
        }))
        .unwrap()
    }

    #[test]
    fn a_request_is_listed_once_whether_its_address_has_a_fragment_or_not() {
        let requests = vec![
            request(0, "https://x/early#x", 1_000.0),
            request(0, "https://x/data#x", 9_000.4),
            request(1, "https://x/data", 9_000.0),
            request(0, "https://x/other#x", 9_000.4),
            request(2, "https://x/early", 20_000.0),
            request(3, "https://x/early", 20_000.1),
        ];
        let told =
            each_once(requests).iter().map(|one| (one.id, one.url.clone())).collect::<Vec<_>>();
        let told: Vec<(u32, &str)> = told.iter().map(|(id, url)| (*id, url.as_str())).collect();
        assert_eq!(
            told,
            [
                (0, "https://x/early#x"),
                (1, "https://x/data"),
                (0, "https://x/other#x"),
                (2, "https://x/early"),
                (3, "https://x/early"),
            ]
        );
    }
}
