//! `outrigger tour`: the guided run, told line by line.

use std::path::Path;
use std::process::ExitCode;

use outrigger_hub::Settings;
use outrigger_hub::tour::{self, Step, TourOptions};

use crate::arguments::Tour;
use crate::output::Output;

pub(crate) async fn run(
    settings: &Settings,
    tour: &Tour,
    output: Output,
) -> anyhow::Result<ExitCode> {
    Ok(take(settings, true, tour.headless, &tour.out, output).await)
}

/// Takes the tour with a browser of its own, or in the one that is linked.
pub(crate) async fn take(
    settings: &Settings,
    own_browser: bool,
    headless: bool,
    out: &Path,
    output: Output,
) -> ExitCode {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return output.fail(&error.into()),
    };
    let mut arguments = vec!["mcp".to_owned(), "--port".to_owned(), settings.port.to_string()];
    if own_browser {
        arguments.push("--launch".to_owned());
    }
    if own_browser && headless {
        arguments.push("--headless".to_owned());
    }
    let options = TourOptions { program, arguments, out: out.to_owned() };
    output.say("The tour: an MCP client drives a bundled page in a real browser.");
    match tour::take(&options, |step| output.say(&describe(step))).await {
        Ok(souvenirs) => {
            let ms = souvenirs.took.as_millis();
            output.say(&format!("All as expected, in {ms} ms."));
            output.say(&format!("Transcript: {}", souvenirs.transcript.display()));
            output.say(&format!("Picture:    {}", souvenirs.picture.display()));
            ExitCode::SUCCESS
        }
        Err(error) => {
            output.fail(&anyhow::Error::new(error).context("the tour did not go as it should"))
        }
    }
}

fn describe(step: &Step) -> String {
    let ms = step.took.as_secs_f64() * 1000.0;
    let call = shortened(&step.call, 32);
    format!("  {:<34} {call:<32} {ms:>6.1} ms", step.what)
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}
