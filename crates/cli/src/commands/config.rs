//! `outrigger config`: every setting, its value and where that comes from.

use std::process::ExitCode;

use outrigger_hub::Settings;
use outrigger_hub::settings::Source;
use serde_json::{Map, Value, json};

use crate::output::Output;

pub(crate) fn run(settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
    let shown = settings.show();
    let mut keys = Map::new();
    for (key, value, source) in &shown {
        let source = words(*source);
        keys.insert(
            key.name.to_owned(),
            json!({"value": value, "source": source, "variable": key.variable}),
        );
    }
    let value = json!({"home": settings.home.path(), "settings": Value::Object(keys)});
    output.result(&value, || {
        let file = settings.home.path().join("config.toml");
        let mut lines = vec![format!("# {}", file.display())];
        for (key, value, source) in &shown {
            let value = if value.is_empty() { "(none)" } else { value };
            lines.push(format!("{:<13} {value:<20} {}", key.name, words(*source)));
            lines.push(format!("{:<13} {} ({})", "", key.about, key.variable));
        }
        lines
    });
    Ok(ExitCode::SUCCESS)
}

fn words(source: Source) -> &'static str {
    match source {
        Source::Flag => "from the command line",
        Source::Environment => "from the environment",
        Source::File => "from config.toml",
        Source::Default => "default",
    }
}
