//! `outrigger up`: the hub, and a browser if one is asked for.

use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::time::Duration;

use outrigger_hub::{Hub, HubError, Settings, launch};
use serde_json::json;

use super::setup::Registration;
use super::tour;
use crate::arguments::Up;
use crate::output::Output;

/// A hub that was started for an agent gives the next one this long.
const IDLE: Duration = Duration::from_secs(3);

pub(crate) async fn run(settings: &Settings, up: &Up, output: Output) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::install()?;
    let hub = match Hub::start(settings).await {
        Ok(hub) => hub,
        Err(HubError::PortTaken { .. }) if up.tour => {
            return tour_elsewhere(settings, up, output).await;
        }
        Err(error) => return Err(error.into()),
    };
    greet(&hub, settings, up, output);
    if let Some(how) = up.launching.launch() {
        if launch::runs_as_root() {
            output.say("As root, Chromium runs without its sandbox: open only pages you trust.");
        }
        let launched = tokio::select! {
            launched = hub.launch(how) => launched,
            () = signals.ask_to_end() => {
                hub.stop().await;
                return Ok(ExitCode::SUCCESS);
            }
        };
        if let Err(error) = launched {
            hub.stop().await;
            return Err(error.into());
        }
        let window = if how.headless { "headless" } else { "in a window" };
        output.say(&format!("A throw-away Chromium is linked ({window})."));
    }
    let mut code = ExitCode::SUCCESS;
    if up.tour {
        code = tokio::select! {
            code = tour::take(settings, false, up.launching.headless, &up.out, output) => code,
            () = signals.ask_to_end() => ExitCode::FAILURE,
        };
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            output.say("To stay up: outrigger up --launch");
            hub.stop().await;
            return Ok(code);
        }
    }
    if !up.until_idle {
        output.say(&format!(
            "Register it with an MCP client: {}",
            Registration::new(settings, false).one_line()
        ));
        output.say("Ctrl-C ends it.");
    }
    tokio::select! {
        () = signals.ask_to_end() => {}
        () = hub.idle_for(IDLE), if up.until_idle => {}
    }
    hub.stop().await;
    Ok(code)
}

/// A hub runs there already: the tour takes that one, with a browser of its own.
async fn tour_elsewhere(settings: &Settings, up: &Up, output: Output) -> anyhow::Result<ExitCode> {
    output.say(&format!("A hub runs on port {} already; the tour uses it.", settings.port));
    Ok(tour::take(settings, true, up.launching.headless, &up.out, output).await)
}

fn greet(hub: &Hub, settings: &Settings, up: &Up, output: Output) {
    let address = format!("http://127.0.0.1:{}", hub.port());
    let value = json!({
        "address": address,
        "port": hub.port(),
        "pid": std::process::id(),
        "home": settings.home.path(),
        "firstRun": hub.is_first_run(),
    });
    output.result(&value, || {
        let mut lines =
            vec![format!("Outrigger {} is up at {address}.", env!("CARGO_PKG_VERSION"))];
        // In the background there is nobody to read it but a log.
        if hub.is_first_run() && !up.until_idle {
            lines.push(format!("Pairing token: {}", hub.pairing_token().reveal()));
            lines.push(
                "Paste it into the extension's options page (`outrigger pair` shows it again), or run \
                 `outrigger setup`, which needs none."
                    .to_owned(),
            );
        }
        lines
    });
}

/// Ctrl-C and the polite ways of ending a process.
struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
}

impl Signals {
    fn install() -> std::io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let terminate = signal(SignalKind::terminate())?;
            let hang_up = signal(SignalKind::hangup())?;
            Ok(Signals { terminate, hang_up })
        }
        #[cfg(not(unix))]
        Ok(Signals {})
    }

    async fn ask_to_end(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    }
}
