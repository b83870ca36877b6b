//! Hands that give files: `browser_upload`.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::capabilities::Settled;
use outrigger_protocol::filling::{FileBytes, UploadFiles, UploadParams};
use outrigger_protocol::link::RiskLevel;
use outrigger_snapshot::ElementKey;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::desk::Desk;
use crate::error::BrowserError;
use crate::link::LinkError;
use crate::page::{Page, step};
use crate::target::{Aimed, Target, pointed_of};
use crate::turns::Turn;
use crate::uploads::{AllowedFile, MOST_BYTES};

use super::acting::Done;

/// Some clients take no schema that says nothing.
fn paths_or_bytes(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "array", "items": {"type": ["string", "object"]}})
}

/// `browser_upload`.
pub(super) struct Upload(pub(super) Arc<Desk>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UploadToolParams {
    #[serde(flatten)]
    target: Target,
    /// Paths, or {name, mime, base64}.
    #[schemars(schema_with = "paths_or_bytes")]
    files: Vec<SaidFile>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a path, or {name, mime, base64}")]
pub(super) enum SaidFile {
    Path(String),
    Bytes(SaidBytes),
}

impl SaidFile {
    /// Its path, or the name that it is to have.
    pub(super) fn name(&self) -> &str {
        match self {
            SaidFile::Path(path) => path,
            SaidFile::Bytes(bytes) => &bytes.name,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaidBytes {
    name: String,
    #[serde(default)]
    mime: String,
    base64: String,
}

/// A file that was judged.
pub(super) enum Judged {
    Ours(AllowedFile),
    Given(FileBytes),
}

impl Tool for Upload {
    type Params = UploadToolParams;
    type Target = Aimed;

    fn definition(&self) -> Definition {
        Definition::of::<UploadToolParams>(
            "browser_upload",
            "Give files to a file field, the button that opens it, or a drop zone.",
            RiskLevel::Act,
            ToolSet::Core(Family::Acting),
        )
    }

    async fn aim(
        &self,
        params: &UploadToolParams,
        circumstances: &Circumstances,
    ) -> Result<Aim<Aimed>, Fault> {
        Ok(self.0.aim_at(circumstances, PermissionKey::Upload, &params.target).await?)
    }

    async fn execute(&self, call: Authorized<UploadToolParams, Aimed>) -> Result<Reply, Fault> {
        let files = judge(&self.0, &call.params.files)?;
        let turn = self.0.turn(&call, call.target.place()).await?;
        let (page, pointed) = pointed_of(&call).await?;
        let settled = give(&page, &turn, &pointed.element, &files).await?;
        let said = match files.len() {
            0 => format!("{} holds no file now.", pointed.name),
            1 => format!("Gave {} the file.", pointed.name),
            several => format!("Gave {} the {several} files.", pointed.name),
        };
        let done = Done { said, to: Some(&pointed), settled, tells_focus: false };
        done.tell(&self.0, &page, &call.circumstances).await
    }
}

/// Judges files, before any is given.
pub(super) fn judge(desk: &Desk, files: &[SaidFile]) -> Result<Vec<Judged>, BrowserError> {
    let roots = desk.uploads();
    let one = |file: &SaidFile| match file {
        SaidFile::Path(path) => roots.allow(path).map(Judged::Ours),
        SaidFile::Bytes(SaidBytes { name, mime, base64 }) => {
            let bytes = STANDARD.decode(base64.trim()).map_err(|_| BrowserError::BadBytes)?;
            if bytes.len() > MOST_BYTES {
                return Err(BrowserError::UploadTooLarge);
            }
            let base64 = STANDARD.encode(bytes);
            Ok(Judged::Given(FileBytes { name: name.clone(), mime: mime.clone(), base64 }))
        }
    };
    files.iter().map(one).collect()
}

/// By path through the debugger if all are files of this machine; where the
/// browser refuses that, and for bytes, through the page.
pub(super) async fn give(
    page: &Page<'_>,
    turn: &Turn,
    target: &ElementKey,
    files: &[Judged],
) -> Result<Settled, BrowserError> {
    let paths: Option<Vec<String>> = files
        .iter()
        .map(|file| match file {
            Judged::Ours(file) => Some(file.path()),
            Judged::Given(_) => None,
        })
        .collect();
    if let Some(paths) = paths.filter(|paths| !paths.is_empty()) {
        match upload(page, turn, target, UploadFiles::Paths(paths)).await {
            Err(error) if needs_bytes(&error) => {}
            answer => return answer,
        }
    }
    upload(page, turn, target, UploadFiles::Bytes(bytes_of(files)?)).await
}

async fn upload(
    page: &Page<'_>,
    turn: &Turn,
    target: &ElementKey,
    files: UploadFiles,
) -> Result<Settled, BrowserError> {
    let params = UploadParams {
        tab_id: page.tab,
        origin: page.origin().to_string(),
        document_id: target.document.clone(),
        node: target.node,
        files,
    };
    page.act(turn, vec![step("upload", params)]).await
}

/// Nothing was given yet, and the same can be had another way.
fn needs_bytes(error: &BrowserError) -> bool {
    let BrowserError::Link { error: LinkError::Refused(refusal), .. } = error else { return false };
    refusal.details.as_ref().is_some_and(|details| details["needs"] == "bytes")
}

fn bytes_of(files: &[Judged]) -> Result<Vec<FileBytes>, BrowserError> {
    let mut left = MOST_BYTES;
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        all.push(match file {
            Judged::Given(bytes) => bytes.clone(),
            Judged::Ours(file) => {
                let bytes = file.read(left)?;
                left -= bytes.len();
                let (name, mime) = (file.name().to_owned(), file.mime().to_owned());
                FileBytes { name, mime, base64: STANDARD.encode(bytes) }
            }
        });
    }
    Ok(all)
}
