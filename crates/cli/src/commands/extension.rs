//! `outrigger extension DIR`: the unpacked extension, for "Load unpacked".

use std::process::ExitCode;

use anyhow::Context as _;
use outrigger_hub::extension_files::{self, Build, EXTENSION_ID};
use serde_json::json;

use crate::arguments::Extension;
use crate::output::Output;

pub(crate) fn run(extension: &Extension, output: Output) -> anyhow::Result<ExitCode> {
    let build = if extension.lite { Build::Lite } else { Build::Full };
    let folder = &extension.folder;
    extension_files::write(build, folder)
        .with_context(|| format!("the extension can't be written to {}", folder.display()))?;
    let folder = std::path::absolute(folder)?;
    output.result(&json!({"folder": folder, "id": EXTENSION_ID}), || {
        vec![
            format!("The extension is in {}.", folder.display()),
            "In your browser: open chrome://extensions, switch on Developer mode, choose"
                .to_owned(),
            "\"Load unpacked\" and take that folder. Then run `outrigger setup`, or open the"
                .to_owned(),
            "extension's options and paste the token that `outrigger pair` shows.".to_owned(),
        ]
    });
    Ok(ExitCode::SUCCESS)
}
