//! Owns the procedure: what is done with one server, in which order, how often. Keeps every sample; medians and
//! comparisons are the report's business.

use std::{fs, path::Path, process::Stdio, time::Instant};

use serde::Serialize;
use serde_json::{Value, json};
use tiktoken_rs::CoreBPE;

use crate::{
    failure::Failure,
    pages::{PRESS, PageServer, SHOW},
    processes,
    reply::{self, Picture},
    servers::{Server, Setting},
    stdio::{StdioServer, Timed},
    tools::Call,
};

const SNAPSHOTS_A_PAGE: usize = 3;
const MOST_SESSIONS: usize = 3;

/// Visible text and number of visible controls: the least that a snapshot of the whole page has to say.
const YARDSTICK: &str = r#"() => {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], ' +
    '[role=link], [role=tab], [role=menuitem], [role=checkbox], [role=switch], [onclick], ' +
    '[contenteditable=true], [tabindex]:not([tabindex="-1"])';
  const seen = [...document.querySelectorAll(controls)].filter((element) => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility({ visibilityProperty: true }) && box.width > 0 && box.height > 0;
  });
  return { text: document.body.innerText, controls: seen.length };
}"#;

/// All samples of one server. Times are in milliseconds.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Samples {
    pub(crate) version: String,
    pub(crate) start: Vec<f64>,
    /// With the hub already running; only for a server that has one.
    pub(crate) start_with_hub: Vec<f64>,
    pub(crate) tools: usize,
    pub(crate) definition_tokens: usize,
    pub(crate) first_navigation: Vec<f64>,
    pub(crate) click: Vec<f64>,
    pub(crate) pages: Vec<PageSamples>,
    pub(crate) server_kib: Option<u64>,
    pub(crate) hub_kib: Option<u64>,
    /// What went wrong on the way, without making the rest worthless.
    pub(crate) notes: Vec<String>,
}

/// The samples of one server on one page.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PageSamples {
    pub(crate) name: String,
    pub(crate) navigation: Option<f64>,
    pub(crate) snapshot: Vec<f64>,
    pub(crate) whole_tokens: Option<usize>,
    pub(crate) look: Vec<f64>,
    pub(crate) look_tokens: Option<usize>,
    pub(crate) command_line_snapshot: Vec<f64>,
    pub(crate) screenshot: Option<f64>,
    pub(crate) screenshot_bytes: Option<usize>,
    pub(crate) screenshot_size: Option<(u32, u32)>,
    /// Tokens of the visible text, and four for each control; only from the server that supplies it.
    pub(crate) yardstick: Option<usize>,
}

/// Takes the measurements of one run.
#[derive(Debug)]
pub(crate) struct Measuring<'a> {
    pub(crate) setting: &'a Setting,
    pub(crate) pages: &'a PageServer,
    pub(crate) tokens: &'a Tokens,
    /// Below this folder every server gets its homes.
    pub(crate) homes: &'a Path,
    pub(crate) runs: usize,
    pub(crate) began: Instant,
}

impl Measuring<'_> {
    /// Everything about one server. Fails only when nothing at all can be said about it.
    pub(crate) fn measure(&self, server: Server) -> Result<Samples, Failure> {
        server.check_installed(self.setting)?;
        let mut samples = Samples::default();
        let outcome = self.measure_into(server, &mut samples);
        processes::end_descendants();
        match outcome {
            Err(failure) if samples.start.is_empty() => Err(failure),
            Err(failure) => {
                samples.notes.push(failure.to_string());
                Ok(samples)
            }
            Ok(()) => Ok(samples),
        }
    }

    fn measure_into(&self, server: Server, samples: &mut Samples) -> Result<(), Failure> {
        // The first start reads the program from disk and isn't counted.
        for run in 0..=self.runs {
            self.say(server, &format!("start {run} of {}", self.runs));
            let home = self.new_home(server, &format!("start-{run}"))?;
            let (_running, took) = self.start(server, &home, samples)?;
            if run > 0 {
                samples.start.push(took);
            }
            processes::end_descendants();
        }
        if server == Server::Outrigger {
            self.start_with_hub(server, samples)?;
        }
        let sessions = self.runs.clamp(1, MOST_SESSIONS);
        for session in 1..=sessions {
            self.say(server, &format!("browser {session} of {sessions}"));
            let home = self.new_home(server, &format!("browser-{session}"))?;
            let (mut running, _) = self.start(server, &home, samples)?;
            let opened = call(&mut running, server.navigate(&self.pages.static_url()))?;
            samples.first_navigation.push(opened.milliseconds());
            if session == sessions {
                self.measure_open_browser(server, &mut running, &home, samples)?;
            }
            drop(running);
            processes::end_descendants();
        }
        Ok(())
    }

    fn start(
        &self,
        server: Server,
        home: &Path,
        samples: &mut Samples,
    ) -> Result<(StdioServer, f64), Failure> {
        let command = server.command(self.setting, home)?;
        let mut running = StdioServer::spawn(command, self.setting.deadline)?;
        let version = running.initialize()?;
        let tools = running.list_tools()?;
        samples.version = server.package().map_or(version, |package| package.version.to_owned());
        samples.tools = tools.value.len();
        samples.definition_tokens = self.tokens.of_definitions(&tools.value);
        let took = tools.milliseconds();
        Ok((running, took))
    }

    /// One client starts the hub and stays; the others find it.
    fn start_with_hub(&self, server: Server, samples: &mut Samples) -> Result<(), Failure> {
        let home = self.new_home(server, "hub")?;
        let (_keeper, _) = self.start(server, &home, samples)?;
        for run in 1..=self.runs {
            self.say(server, &format!("start with the hub up {run} of {}", self.runs));
            let (_running, took) = self.start(server, &home, samples)?;
            samples.start_with_hub.push(took);
        }
        processes::end_descendants();
        Ok(())
    }

    fn measure_open_browser(
        &self,
        server: Server,
        running: &mut StdioServer,
        home: &Path,
        samples: &mut Samples,
    ) -> Result<(), Failure> {
        self.say(server, "clicks");
        if let Err(failure) = self.click(server, running, samples) {
            samples.notes.push(failure.to_string());
        }
        for name in self.pages.names() {
            self.say(server, name);
            let mut page = PageSamples { name: name.clone(), ..PageSamples::default() };
            let outcome = self.measure_page(server, running, home, &mut page);
            samples.pages.push(page);
            match outcome {
                Err(failure @ Failure::Ended { .. }) => return Err(failure),
                Err(failure) => samples.notes.push(format!("{name}: {failure}")),
                Ok(()) => {}
            }
        }
        let servers: Vec<_> =
            processes::descendants().into_iter().filter(|one| !one.is_browser()).collect();
        samples.server_kib = Some(servers.iter().map(|one| one.resident_kib).sum());
        if server == Server::Outrigger {
            // The hub is the process that isn't the one we talk to, unless they are one and the same.
            let hub = servers
                .iter()
                .filter(|one| one.pid != running.pid())
                .map(|one| one.resident_kib)
                .max();
            samples.hub_kib = hub.or(samples.server_kib);
        }
        Ok(())
    }

    fn click(
        &self,
        server: Server,
        running: &mut StdioServer,
        samples: &mut Samples,
    ) -> Result<(), Failure> {
        let find = |running: &mut StdioServer, name: &'static str| {
            let snapshot = reply::text_of(&call(running, server.default_look())?.value);
            reply::button_ref(&snapshot, name, server.ref_style()).ok_or(Failure::NoRef(name))
        };
        let press = find(running, PRESS)?;
        let clicks = self.runs * 2;
        for _ in 0..clicks {
            samples.click.push(call(running, server.click(&press))?.milliseconds());
        }
        let show = find(running, SHOW)?;
        call(running, server.click(&show))?;
        let shown = reply::text_of(&call(running, server.whole_snapshot())?.value);
        if shown.contains(&format!("pressed {clicks} times")) {
            Ok(())
        } else {
            Err(Failure::ClicksNotSeen { wanted: clicks })
        }
    }

    fn measure_page(
        &self,
        server: Server,
        running: &mut StdioServer,
        home: &Path,
        page: &mut PageSamples,
    ) -> Result<(), Failure> {
        page.navigation =
            Some(call(running, server.navigate(&self.pages.url(&page.name)))?.milliseconds());
        for _ in 0..SNAPSHOTS_A_PAGE {
            let whole = call(running, server.whole_snapshot())?;
            page.snapshot.push(whole.milliseconds());
            page.whole_tokens = Some(self.tokens.count(&reply::text_of(&whole.value)));
        }
        if server.default_look() == server.whole_snapshot() {
            page.look.clone_from(&page.snapshot);
            page.look_tokens = page.whole_tokens;
        } else {
            for _ in 0..SNAPSHOTS_A_PAGE {
                let look = call(running, server.default_look())?;
                page.look.push(look.milliseconds());
                page.look_tokens = Some(self.tokens.count(&reply::text_of(&look.value)));
            }
        }
        if let Some(function) = server.evaluate(YARDSTICK) {
            let answer = reply::evaluated(&reply::text_of(&call(running, function)?.value));
            page.yardstick = answer.and_then(|found| self.tokens.of_yardstick(&found));
        }
        for _ in 0..SNAPSHOTS_A_PAGE {
            let Some(command) = server.command_line_snapshot(self.setting, home) else { break };
            let mut command = command?;
            command.stdout(Stdio::null());
            let (status, took) =
                processes::run_within(&mut command, "the command line", self.setting.deadline)?;
            if status.success() {
                page.command_line_snapshot.push(took.as_secs_f64() * 1000.0);
            }
        }
        let shot = call(running, server.screenshot())?;
        page.screenshot = Some(shot.milliseconds());
        if let Some(Picture { bytes, size }) = reply::picture_of(&shot.value) {
            page.screenshot_bytes = Some(bytes);
            page.screenshot_size = size;
        }
        Ok(())
    }

    fn new_home(&self, server: Server, purpose: &str) -> Result<std::path::PathBuf, Failure> {
        let home = self.homes.join(format!("{}-{purpose}", server.name().trim_end_matches('.')));
        fs::create_dir_all(&home).map_err(Failure::io("make a home for a server"))?;
        Ok(home)
    }

    fn say(&self, server: Server, doing: &str) {
        eprintln!("[{:>4} s] {:<10} {doing}", self.began.elapsed().as_secs(), server.name());
    }
}

fn call(running: &mut StdioServer, (tool, arguments): Call) -> Result<Timed<Value>, Failure> {
    running.call(tool, &arguments)
}

/// Counts tokens as OpenAI's current models do: one tokenizer for all, so that ratios mean something.
pub(crate) struct Tokens(CoreBPE);

impl std::fmt::Debug for Tokens {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Tokens(o200k_base)")
    }
}

impl Tokens {
    /// Loads the vocabulary, which is compiled in.
    pub(crate) fn new() -> Option<Self> {
        tiktoken_rs::o200k_base().ok().map(Self)
    }

    fn count(&self, text: &str) -> usize {
        self.0.encode_ordinary(text).len()
    }

    /// What a client hands to its model of each tool: name, description and schema.
    fn of_definitions(&self, tools: &[Value]) -> usize {
        let told: Vec<Value> = tools
            .iter()
            .map(|tool| {
                json!({ "name": tool["name"], "description": tool["description"],
                    "inputSchema": tool["inputSchema"] })
            })
            .collect();
        self.count(&Value::from(told).to_string())
    }

    fn of_yardstick(&self, found: &Value) -> Option<usize> {
        let controls = usize::try_from(found["controls"].as_u64()?).ok()?;
        Some(self.count(found["text"].as_str()?) + 4 * controls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_counts_by_what_a_model_is_told() {
        let tokens = Tokens::new().unwrap();
        let plain = json!({ "name": "a", "description": "b", "inputSchema": { "type": "object" } });
        let mut annotated = plain.clone();
        annotated["annotations"] = json!({ "title": "a long title that no model sees" });
        assert_eq!(tokens.of_definitions(&[plain]), tokens.of_definitions(&[annotated]));
    }

    #[test]
    fn the_yardstick_is_the_text_and_four_for_each_control() {
        let tokens = Tokens::new().unwrap();
        let found = json!({ "text": "hello world", "controls": 3 });
        assert_eq!(tokens.of_yardstick(&found), Some(2 + 12));
    }
}
