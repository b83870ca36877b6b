//! Throw-away browsers: found, started with our extension and a one-time
//! token, and gone without a trace when whoever asked for them is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use command_fds::CommandFdExt as _;
use command_fds::FdMapping;
use outrigger_browser::Desk;
use outrigger_protocol::agent::Launch;
use serde_json::json;
use tokio::process::{Child, Command};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::extension_files::{self, Build};
use crate::home::{Home, Token};
use crate::pairing::Pairing;
use crate::settings::Settings;

/// How long a browser may take until its extension is linked.
const LINK_LIMIT: Duration = Duration::from_secs(30);

/// How long a browser may take to end by itself.
const END_LIMIT: Duration = Duration::from_secs(3);

/// How long what a browser leaves behind may take until it is gone: its helpers
/// end after it, and on a busy machine that takes a while.
const DISCARD_LIMIT: Duration = Duration::from_secs(10);

/// Programs that can be launched, in order of preference. Chromium first:
/// branded Chrome no longer loads an unpacked extension from the command line.
const PROGRAMS: [&str; 5] =
    ["chromium", "chromium-browser", "google-chrome-for-testing", "google-chrome", "chrome"];

#[cfg(target_os = "macos")]
const MAC_PROGRAM: &str = "/Applications/Chromium.app/Contents/MacOS/Chromium";

/// A browser can't be launched.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// None is there.
    #[error(
        "no browser was found. Install Chromium (on Debian: apt-get install chromium), or name \
         one with OUTRIGGER_BROWSER"
    )]
    NotFound,
    /// The one that was named is not there.
    #[error("the browser {0} can't be run. Check OUTRIGGER_BROWSER or `browser` in config.toml")]
    NotAProgram(PathBuf),
    /// Its folder can't be made.
    #[error("the folder for a throw-away profile can't be made: {0}")]
    Folder(io::Error),
    /// Chromium takes a comma for the end of a folder's name.
    #[error(
        "a browser can't be launched from {0}: Chromium reads a comma there as the end of the name. Set OUTRIGGER_HOME to a folder without one"
    )]
    Comma(PathBuf),
    /// It doesn't start.
    #[error("{program} can't be started: {source}")]
    Start {
        /// Which.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It ended at once.
    #[error("the browser ended before its extension was linked{}", said(.last_words))]
    Ended {
        /// The last line it wrote.
        last_words: String,
    },
    /// Its extension stayed silent.
    #[error(
        "the browser started, but its extension was not linked within 30 s. Branded Chrome \
         ignores --load-extension: name a Chromium with OUTRIGGER_BROWSER"
    )]
    NotLinked,
}

fn said(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("; it said: {last_words}") }
}

/// The browser to launch.
pub fn find_browser(chosen: Option<&Path>) -> Result<PathBuf, LaunchError> {
    if let Some(path) = chosen {
        return which::which(path).map_err(|_| LaunchError::NotAProgram(path.to_owned()));
    }
    #[cfg(target_os = "macos")]
    if Path::new(MAC_PROGRAM).exists() {
        return Ok(MAC_PROGRAM.into());
    }
    PROGRAMS.iter().find_map(|name| which::which(name).ok()).ok_or(LaunchError::NotFound)
}

/// Whether there is a screen to show a window on.
pub fn has_display() -> bool {
    cfg!(any(target_os = "macos", target_os = "windows"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Whether Chromium's own sandbox can't be used, as it can't for root.
pub fn runs_as_root() -> bool {
    cfg!(target_os = "linux") && rustix::process::geteuid().is_root()
}

/// Launches browsers and sees them to their end.
pub(crate) struct Launcher {
    chosen: Option<PathBuf>,
    more_args: Vec<String>,
    home: Home,
    port: u16,
    pairing: Arc<Pairing>,
    desk: Arc<Desk>,
    counter: AtomicU64,
    running: TaskTracker,
}

impl Launcher {
    pub(crate) fn new(
        settings: &Settings,
        port: u16,
        pairing: Arc<Pairing>,
        desk: Arc<Desk>,
    ) -> Self {
        sweep(&settings.home);
        Launcher {
            chosen: settings.browser.clone(),
            more_args: settings.browser_args.clone(),
            home: settings.home.clone(),
            port,
            pairing,
            desk,
            counter: AtomicU64::new(1),
            running: TaskTracker::new(),
        }
    }

    /// Runs a browser until `gone`, or until it ends by itself.
    pub(crate) async fn run(
        &self,
        launch: Launch,
        session: Option<String>,
        gone: CancellationToken,
    ) -> Result<(), LaunchError> {
        self.run_and_tell(launch, session, gone, None).await
    }

    /// The same, and tells the link's name once it is linked.
    pub(crate) async fn run_and_tell(
        &self,
        launch: Launch,
        session: Option<String>,
        gone: CancellationToken,
        linked: Option<oneshot::Sender<String>>,
    ) -> Result<(), LaunchError> {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        // Held until the end, so that a stopping hub waits for its browsers.
        let _running = self.running.token();
        let folder = self.folder(number)?;
        let token = Token::generate().map_err(LaunchError::Folder)?;
        self.pairing.expect_launch(number, token.clone(), session);
        let outcome = self.supervise(&folder, launch, &token, number, gone, linked).await;
        self.pairing.forget_launch(number);
        // It won't come back: whoever waits for it need not.
        self.desk.browsers.remove_launched(number);
        discard(folder).await;
        outcome
    }

    /// Expects something that is started elsewhere.
    pub(crate) fn expect_throw_away(&self, token: Token) {
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        self.pairing.expect_launch(number, token, None);
    }

    /// Waits until every browser has ended.
    pub(crate) async fn wait(&self) {
        self.running.close();
        self.running.wait().await;
        // A hub that was killed just before this one started was not quite
        // gone then.
        sweep(&self.home);
    }

    fn folder(&self, number: u64) -> Result<tempfile::TempDir, LaunchError> {
        let parent = self.home.launched_path();
        fs::create_dir_all(&parent).map_err(LaunchError::Folder)?;
        let prefix = format!("{}-{number}-", std::process::id());
        if parent.display().to_string().contains(',') {
            return Err(LaunchError::Comma(parent));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        // The one-time token is in there.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        builder.tempdir_in(parent).map_err(LaunchError::Folder)
    }

    async fn supervise(
        &self,
        folder: &tempfile::TempDir,
        launch: Launch,
        token: &Token,
        number: u64,
        gone: CancellationToken,
        linked: Option<oneshot::Sender<String>>,
    ) -> Result<(), LaunchError> {
        let mut browser = self.start(folder.path(), launch, token)?;
        let link = tokio::select! {
            link = self.linked(number) => link,
            () = gone.cancelled() => {
                browser.end().await;
                return Ok(());
            }
            _ = browser.child.wait() => {
                let last_words = last_words(folder.path());
                return Err(LaunchError::Ended { last_words });
            }
            () = tokio::time::sleep(LINK_LIMIT) => {
                browser.end().await;
                return Err(LaunchError::NotLinked);
            }
        };
        if let Some(linked) = linked {
            let _ = linked.send(link);
        }
        tokio::select! {
            () = gone.cancelled() => browser.end().await,
            status = browser.child.wait() => {
                tracing::info!(?status, "the launched browser ended");
            }
        }
        Ok(())
    }

    /// The name of the link, once the launched browser has one.
    async fn linked(&self, number: u64) -> String {
        let mut changes = self.desk.browsers.changes();
        loop {
            changes.mark_unchanged();
            let browsers = self.desk.browsers.all();
            let mine = browsers.iter().find(|browser| browser.launch == Some(number));
            if let Some(browser) = mine {
                return browser.id.clone();
            }
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// What is downloaded outlives the browser, in a place of ours: it is an
    /// agent's work, and not the user's to find among their own files. What was
    /// typed, by contrast, is neither remembered nor offered over other fields.
    fn prefer(&self, profile: &Path) -> io::Result<()> {
        let downloads = self.home.downloads_path();
        fs::create_dir_all(&downloads)?;
        let preferences = json!({
            "download": { "default_directory": downloads, "prompt_for_download": false },
            "autofill": { "profile_enabled": false, "credit_card_enabled": false },
            "credentials_enable_service": false,
        });
        let folder = profile.join("Default");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("Preferences"), preferences.to_string())
    }

    fn start(&self, folder: &Path, launch: Launch, token: &Token) -> Result<Running, LaunchError> {
        let program = find_browser(self.chosen.as_deref())?;
        let extension = folder.join("extension");
        extension_files::write(Build::Full, &extension).map_err(LaunchError::Folder)?;
        let proof =
            json!({"hub": format!("127.0.0.1:{}", self.port), "launchToken": token.reveal()});
        fs::write(extension.join("launch.json"), proof.to_string()).map_err(LaunchError::Folder)?;
        self.prefer(&folder.join("profile")).map_err(LaunchError::Folder)?;
        let log = fs::File::create(log_path(folder)).map_err(LaunchError::Folder)?;

        let mut command = Command::new(&program);
        command
            .args(arguments(folder, &extension, launch.headless))
            .args(&self.more_args)
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::from(log))
            .kill_on_drop(true);
        let failed = |source| LaunchError::Start { program: program.clone(), source };
        let lifeline = Lifeline::attach(&mut command).map_err(failed)?;
        let child = command.spawn().map_err(failed)?;
        drop(command);
        Ok(Running { child, lifeline: Some(lifeline) })
    }
}

/// Our ends of the browser's debugging pipe. Nothing is ever sent; a browser
/// ends when they close, so it can't outlive a hub that was killed.
struct Lifeline {
    _commands: io::PipeWriter,
    _answers: io::PipeReader,
}

impl Lifeline {
    fn attach(command: &mut Command) -> io::Result<Self> {
        let (commands, ours_to_write) = io::pipe()?;
        let (ours_to_read, answers) = io::pipe()?;
        let mappings = vec![
            FdMapping { parent_fd: commands.into(), child_fd: 3 },
            FdMapping { parent_fd: answers.into(), child_fd: 4 },
        ];
        command.fd_mappings(mappings).map_err(io::Error::other)?;
        Ok(Lifeline { _commands: ours_to_write, _answers: ours_to_read })
    }
}

/// What a browser does for a person that a throw-away one has no use for. The
/// pages behind the address bar alone take as much of the processor in the first
/// seconds as all else together.
const UNUSED_FEATURES: [&str; 7] = [
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "PreloadTopChromeWebUI",
    "Translate",
    "OptimizationHints",
    "MediaRouter",
];

fn arguments(folder: &Path, extension: &Path, headless: bool) -> Vec<String> {
    let mut arguments = vec![
        format!("--user-data-dir={}", folder.join("profile").display()),
        format!("--load-extension={}", extension.display()),
        format!("--disable-extensions-except={}", extension.display()),
        "--remote-debugging-pipe".to_owned(),
        "--silent-debugger-extension-api".to_owned(),
        "--no-first-run".to_owned(),
        "--no-default-browser-check".to_owned(),
        format!("--disable-features={}", UNUSED_FEATURES.join(",")),
        "--disable-client-side-phishing-detection".to_owned(),
        // Of the browser's own window, not of pages: every navigation sets one off
        // that draws the window 60 times a second while the page is being read.
        "--animation-duration-scale=0".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--disable-quic".to_owned(),
        "--password-store=basic".to_owned(),
        "--use-mock-keychain".to_owned(),
        "--window-size=1280,900".to_owned(),
    ];
    if headless {
        arguments.extend(["--headless=new".to_owned(), "--disable-gpu".to_owned()]);
    }
    if runs_as_root() {
        tracing::info!("running as root: Chromium is started without its sandbox");
        arguments.push("--no-sandbox".to_owned());
    }
    arguments
}

struct Running {
    child: Child,
    lifeline: Option<Lifeline>,
}

impl Running {
    /// Lets go of the browser, and makes sure that it ends.
    async fn end(&mut self) {
        drop(self.lifeline.take());
        if tokio::time::timeout(END_LIMIT, self.child.wait()).await.is_err() {
            tracing::warn!("the launched browser did not end by itself");
            if let Err(error) = self.child.kill().await {
                tracing::error!(%error, "the launched browser could not be ended");
            }
        }
    }
}

fn log_path(folder: &Path) -> PathBuf {
    folder.join("browser.log")
}

fn last_words(folder: &Path) -> String {
    let text = fs::read(log_path(folder)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned()
}

/// Removes the folder. The browser's helpers end a moment after it and may
/// still write, so a first attempt can fail.
async fn discard(folder: tempfile::TempDir) {
    let path = folder.keep();
    let deadline = tokio::time::Instant::now() + DISCARD_LIMIT;
    while tokio::time::Instant::now() < deadline {
        match fs::remove_dir_all(&path) {
            Ok(()) => return,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    tracing::warn!(path = %path.display(), "a throw-away profile could not be removed");
}

/// Removes what hubs that were killed left behind.
fn sweep(home: &Home) {
    let Ok(entries) = fs::read_dir(home.launched_path()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.split('-').next()?.parse::<i32>().ok());
        let is_alive = owner
            .and_then(rustix::process::Pid::from_raw)
            .is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok());
        if !is_alive && let Err(error) = fs::remove_dir_all(entry.path()) {
            tracing::warn!(%error, "an old throw-away profile could not be removed");
        }
    }
}
