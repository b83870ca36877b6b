//! `browser_downloads`: files that pages of a tab had the browser save.

use std::sync::Arc;

use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_guard::headers::redact_url;
use outrigger_protocol::link::RiskLevel;
use outrigger_protocol::pages::{DownloadFacts, DownloadList, DownloadState, DownloadsParams};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{host, page_of};

use super::entries::entry;

/// `browser_downloads`.
pub(super) struct Downloads(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// Until there is one and none is under way.
    wait: Option<bool>,
}

impl Tool for Downloads {
    type Params = Params;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<Params>(
            "browser_downloads",
            "Files that the tab downloaded: where they are saved and how they stand.",
            RiskLevel::Read,
            ToolSet::Full(Family::Diagnostics),
        )
    }

    async fn aim(&self, _: &Params, at: &Circumstances) -> Result<Aim<TabTarget>, Fault> {
        Ok(self.0.aim(at, PermissionKey::ReadDownloads).await?)
    }

    async fn execute(&self, call: Authorized<Params, TabTarget>) -> Result<Reply, Fault> {
        if call.target.tab.is_none() {
            return Err(BrowserError::NoCurrentTab.into());
        }
        let page = page_of(&self.0, &call, false).await?;
        let wait = call.params.wait.unwrap_or(false);
        let params = DownloadsParams {
            tab_id: page.tab,
            wait,
            since: page.recorded_since(&self.0.sessions),
        };
        let DownloadList { downloads } = page.request("downloads", params).await?;
        if downloads.is_empty() {
            let said = "The tab has downloaded nothing.";
            return Ok(Reply::said(if wait {
                "The tab has downloaded nothing, and nothing came meanwhile."
            } else {
                said
            }));
        }
        let domain = host(call.leave().grant().access().origin.as_str());
        let lines: Vec<String> = downloads.iter().map(in_words).collect();
        let is_unfinished = wait && downloads.iter().any(is_under_way);
        let reply = if is_unfinished {
            Reply::said("Not all of them came in time; wait again with a larger timeoutMs.")
        } else {
            Reply::default()
        };
        Ok(reply.page(domain, lines.join("\n")))
    }
}

fn is_under_way(download: &DownloadFacts) -> bool {
    download.state == DownloadState::InProgress && download.danger.is_none()
}

/// One download in one line, in words of the page: names and addresses are its own.
pub(super) fn in_words(download: &DownloadFacts) -> String {
    let DownloadFacts { id, path, mime_type, received, .. } = download;
    let url = redact_url(&download.url);
    let size = match download.total {
        Some(total) if download.state != DownloadState::Complete => {
            format!("{received} of {total} bytes")
        }
        _ => format!("{received} bytes"),
    };
    let state = match (download.state, &download.danger, &download.error) {
        (DownloadState::InProgress, Some(danger), _) => format!(
            "held back by the browser ({danger}): only the user can decide to keep it, in the browser"
        ),
        (DownloadState::InProgress, None, _) => "under way".to_owned(),
        (DownloadState::Interrupted, _, Some(error)) => format!("interrupted ({error})"),
        (DownloadState::Interrupted, _, None) => "interrupted".to_owned(),
        (DownloadState::Complete, ..) if !download.exists => {
            "complete, but deleted since".to_owned()
        }
        (DownloadState::Complete, Some(danger), _) => {
            format!("complete, called dangerous ({danger})")
        }
        (DownloadState::Complete, None, _) => "complete".to_owned(),
    };
    let path = if path.is_empty() { "no file yet" } else { path };
    entry(&format!("download {id}: {state}, {size}, {mime_type}, saved as {path}, from {url}"))
}
