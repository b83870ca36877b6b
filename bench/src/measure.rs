//! Owns the procedure: what is done with one server, in which order, how often. Keeps every sample; medians and
//! comparisons are the report's business.

use std::{fs, path::Path, process::Stdio, time::Instant};

use serde_json::Value;

use crate::{
    failure::Failure,
    form, generated,
    pages::{HEADING, PRESS, PageServer, SHOW},
    processes, reach,
    reply::{self, Picture},
    samples::{PageSamples, Samples},
    servers::{Server, Setting},
    stdio::{StdioServer, Timed},
    tokens::Tokens,
    tools::Call,
    yardstick::{self, Sight},
};

const SNAPSHOTS_A_PAGE: usize = 3;
const MOST_ROUNDS: usize = 3;
const WAITS: usize = 3;
/// Clicks after which the hub's memory is looked at: at first, and in the end.
const ENDURED_CLICKS: [usize; 2] = [100, 1_000];

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
    /// In how many rounds the servers take turns: a machine that is slow for a minute is so for all of them.
    pub(crate) fn rounds(&self) -> usize {
        self.runs.clamp(1, MOST_ROUNDS)
    }

    /// How a server starts. Fails when nothing at all can be said about it.
    pub(crate) fn measure_starts(&self, server: Server) -> Result<Samples, Failure> {
        server.check_installed(self.setting)?;
        let mut samples = Samples::default();
        let outcome = self.start_often(server, &mut samples);
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

    /// One round of a server, in a browser of its own.
    pub(crate) fn measure_round(&self, server: Server, round: usize, samples: &mut Samples) {
        let outcome = self.in_browser(server, round, samples);
        processes::end_descendants();
        if let Err(failure) = outcome {
            samples.notes.push(failure.to_string());
        }
    }

    fn in_browser(
        &self,
        server: Server,
        round: usize,
        samples: &mut Samples,
    ) -> Result<(), Failure> {
        self.say(server, &format!("round {round} of {}", self.rounds()));
        let home = self.new_home(server, &format!("browser-{round}"))?;
        let (mut running, _) = self.start(server, &home, samples)?;
        let opened = call(&mut running, server.navigate(&self.pages.static_url()))?;
        samples.first_navigation.push(opened.milliseconds());
        self.measure_inputs(server, &mut running, samples);
        let is_last = round == self.rounds();
        self.on_pages(server, samples, |page| {
            let url = self.pages.url(&page.name);
            page.navigation.push(call(&mut running, server.navigate(&url))?.milliseconds());
            self.measure_looks(server, &mut running, page)?;
            if is_last { self.examine_page(server, &mut running, &home, page) } else { Ok(()) }
        })?;
        if is_last { self.measure_once(server, &mut running, samples) } else { Ok(()) }
    }

    fn start_often(&self, server: Server, samples: &mut Samples) -> Result<(), Failure> {
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

    fn measure_inputs(&self, server: Server, running: &mut StdioServer, samples: &mut Samples) {
        self.say(server, "clicks");
        if let Err(failure) = self.click(server, running, samples) {
            samples.notes.push(failure.to_string());
        }
        self.say(server, "form");
        if let Err(failure) = form::measure(server, running, self.pages, self.runs, samples) {
            samples.notes.push(failure.to_string());
        }
    }

    /// What costs too much time to be measured in every round.
    fn measure_once(
        &self,
        server: Server,
        running: &mut StdioServer,
        samples: &mut Samples,
    ) -> Result<(), Failure> {
        let servers = server_processes();
        samples.server_kib = Some(servers.iter().map(|one| one.resident_kib).sum());
        if server == Server::Outrigger {
            samples.hub_kib = hub_kib(running).or(samples.server_kib);
            self.endure(server, running, samples)?;
        }
        self.measure_generated(server, running, samples)
    }

    /// Each of the saved pages in turn. One that fails is noted; a server that is gone ends it.
    fn on_pages(
        &self,
        server: Server,
        samples: &mut Samples,
        mut measure: impl FnMut(&mut PageSamples) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for name in self.pages.names() {
            self.say(server, name);
            match measure(samples.page_mut(name)) {
                Err(failure @ Failure::Ended { .. }) => return Err(failure),
                Err(failure) => samples.notes.push(format!("{name}: {failure}")),
                Ok(()) => {}
            }
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
        let clicks = self.runs;
        let mut replies = Vec::new();
        for _ in 0..clicks {
            let clicked = call(running, server.click(&press))?;
            samples.click.push(clicked.milliseconds());
            replies.push(self.tokens.count(&reply::text_of(&clicked.value)));
        }
        // The first one moves the focus, and that is a change.
        samples.click_tokens.extend(replies.split_off(1));
        for _ in 0..WAITS {
            let waited = call(running, server.wait_for(HEADING))?;
            samples.wait_tokens.push(self.tokens.count(&reply::text_of(&waited.value)));
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

    /// Many clicks, and what the hub holds after some and after all of them.
    fn endure(
        &self,
        server: Server,
        running: &mut StdioServer,
        samples: &mut Samples,
    ) -> Result<(), Failure> {
        self.say(server, "many clicks");
        call(running, server.navigate(&self.pages.static_url()))?;
        let look = reply::text_of(&call(running, server.default_look())?.value);
        let press =
            reply::button_ref(&look, PRESS, server.ref_style()).ok_or(Failure::NoRef(PRESS))?;
        let mut clicked = 0;
        for clicks in ENDURED_CLICKS {
            while clicked < clicks {
                call(running, server.click(&press))?;
                clicked += 1;
            }
            samples.endured_kib.extend(hub_kib(running));
        }
        Ok(())
    }

    /// What is the same each time.
    fn examine_page(
        &self,
        server: Server,
        running: &mut StdioServer,
        home: &Path,
        page: &mut PageSamples,
    ) -> Result<(), Failure> {
        self.open_folded(server, running, page)?;
        self.ask_the_page(server, running, page)?;
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

    fn measure_looks(
        &self,
        server: Server,
        running: &mut StdioServer,
        page: &mut PageSamples,
    ) -> Result<(), Failure> {
        for _ in 0..SNAPSHOTS_A_PAGE {
            page.snapshot.push(call(running, server.whole_snapshot())?.milliseconds());
        }
        if server.default_look() == server.whole_snapshot() {
            page.look.clone_from(&page.snapshot);
            return Ok(());
        }
        for _ in 0..SNAPSHOTS_A_PAGE {
            page.look.push(call(running, server.default_look())?.milliseconds());
        }
        Ok(())
    }

    /// What the looks at the page say, and what they have folded away.
    fn open_folded(
        &self,
        server: Server,
        running: &mut StdioServer,
        page: &mut PageSamples,
    ) -> Result<(), Failure> {
        page.texts.whole = reply::text_of(&call(running, server.whole_snapshot())?.value);
        page.whole_tokens = Some(self.tokens.count(&page.texts.whole));
        page.texts.behind_whole = reach::open_all(server, running, &page.texts.whole)?;
        page.folded_tokens = Some(self.tokens.count(&page.texts.behind_whole));
        if server.default_look() == server.whole_snapshot() {
            page.look_tokens = page.whole_tokens;
            return Ok(());
        }
        page.texts.look = reply::text_of(&call(running, server.default_look())?.value);
        page.look_tokens = Some(self.tokens.count(&page.texts.look));
        page.texts.behind_look = reach::open_all(server, running, &page.texts.look)?;
        Ok(())
    }

    fn ask_the_page(
        &self,
        server: Server,
        running: &mut StdioServer,
        page: &mut PageSamples,
    ) -> Result<(), Failure> {
        if let Some(function) = server.evaluate(yardstick::SCRIPT) {
            let answer = reply::evaluated(&reply::text_of(&call(running, function)?.value));
            page.sight = answer.and_then(Sight::parse);
            page.yardstick = page.sight.as_ref().map(|sight| self.tokens.of_sight(sight));
        }
        Ok(())
    }

    /// On pages that are all controls or all articles only Outrigger is measured, and only the page is asked.
    fn measure_crowded(
        &self,
        server: Server,
        running: &mut StdioServer,
        name: &str,
    ) -> Result<PageSamples, Failure> {
        self.say(server, name);
        let mut page = PageSamples { name: name.to_owned(), ..PageSamples::default() };
        call(running, server.navigate(&self.pages.generated_url(name)))?;
        if server == Server::Outrigger {
            self.open_folded(server, running, &mut page)?;
        }
        self.ask_the_page(server, running, &mut page)?;
        Ok(page)
    }

    fn measure_generated(
        &self,
        server: Server,
        running: &mut StdioServer,
        samples: &mut Samples,
    ) -> Result<(), Failure> {
        let is_outrigger = server == Server::Outrigger;
        if !is_outrigger && server.evaluate(yardstick::SCRIPT).is_none() {
            return Ok(());
        }
        for name in generated::CROWDED {
            samples.crowded.push(self.measure_crowded(server, running, name)?);
        }
        if is_outrigger {
            self.say(server, "growth");
            samples.growth.measure(server, running, self.pages)?;
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

fn server_processes() -> Vec<processes::Descendant> {
    processes::descendants().into_iter().filter(|one| !one.is_browser()).collect()
}

/// The hub is the process that isn't the one we talk to, unless they are one and the same.
fn hub_kib(running: &StdioServer) -> Option<u64> {
    let others = server_processes().into_iter().filter(|one| one.pid != running.pid());
    others.map(|one| one.resident_kib).max()
}

fn call(running: &mut StdioServer, (tool, arguments): Call) -> Result<Timed<Value>, Failure> {
    running.call(tool, &arguments)
}
