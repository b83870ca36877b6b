//! `outrigger native-host`: what a browser starts for the extension, with the
//! extension's origin as its argument. Standard output carries messages alone.

use std::process::ExitCode;

use outrigger_hub::Settings;
use outrigger_hub::native_host;
use outrigger_hub::settings::SettingsError;

use crate::arguments::NativeHost;

pub(crate) async fn run(settings: &Settings, host: &NativeHost) -> anyhow::Result<ExitCode> {
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    native_host::serve(settings, &host.extension, input, output).await?;
    Ok(ExitCode::SUCCESS)
}

/// Tells the extension what is wrong with the settings, too: nobody reads a
/// browser's standard error.
pub(crate) async fn refuse(error: &SettingsError) {
    native_host::refuse(&error.to_string(), tokio::io::stdout()).await;
}
