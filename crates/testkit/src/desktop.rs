//! A screen with a person in front of it: an X server and a window manager of its own,
//! eyes for what is on it, and hands that type and press as a person does. Nothing
//! here reaches into a browser: what isn't on the screen isn't there.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::eventually;
use crate::scratch::Scratch;

const WIDTH: usize = 1280;
const HEIGHT: usize = 900;
/// Of the ring around what has the focus, in our own pages: blue, green, red.
const RING: [u8; 3] = [0x74, 0x6b, 0x0b];

/// Of a button of the browser's own, beside its words: across, down.
const PADDING: (usize, usize) = (4, 24);

/// What doesn't change for so long stands still; a caret blinks less often.
const STILL: Duration = Duration::from_millis(300);

/// A desktop for one test; gone when dropped.
pub struct Desktop {
    display: String,
    pictures: PathBuf,
    _manager: Child,
    _server: Child,
    /// Where the server keeps what is on the screen.
    screen: Scratch,
}

/// The number of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window(String);

/// Everything on the screen, four bytes a pixel.
#[derive(PartialEq, Eq)]
pub struct Sight(Vec<u8>);

impl Desktop {
    /// One on a free display, whose pictures go into that folder.
    pub async fn start(pictures: PathBuf) -> Self {
        std::fs::create_dir_all(&pictures).expect("a folder for pictures");
        let screen = Scratch::new();
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"])
            .arg(format!("{WIDTH}x{HEIGHT}x24"))
            .arg("-fbdir")
            .arg(screen.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("Xvfb runs; `make install-test` installs it");
        let mut number = String::new();
        let stdout = server.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut number).await.expect("Xvfb tells its display");
        let display = format!(":{}", number.trim());
        let manager = Command::new("openbox")
            .env("DISPLAY", &display)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("openbox runs; `make install-test` installs it");
        Desktop { display, pictures, _manager: manager, _server: server, screen }
    }

    /// For a program that is to be seen here.
    pub fn display(&self) -> &str {
        &self.display
    }

    /// Types text, wherever the focus is.
    pub async fn types(&self, text: &str) {
        self.hands(&["type", "--delay", "5", text]).await;
    }

    /// Presses keys, one after the other: `Tab`, `ctrl+l`.
    pub async fn keys(&self, keys: &[&str]) {
        self.hands(&[&["key", "--delay", "30"], keys].concat()).await;
    }

    /// Presses the mouse at a point of the screen.
    pub async fn press(&self, (x, y): (usize, usize)) {
        let (x, y) = (x.to_string(), y.to_string());
        self.hands(&["mousemove", "--sync", &x, &y, "click", "1"]).await;
    }

    /// Moves the mouse off all windows: what is under it is drawn otherwise.
    pub async fn put_mouse_aside(&self) {
        let (x, y) = ((WIDTH - 1).to_string(), (HEIGHT - 1).to_string());
        self.hands(&["mousemove", "--sync", &x, &y]).await;
    }

    /// The window with this title, a regular expression, once it is there.
    pub async fn window(&self, title: &str) -> Window {
        eventually(&format!("a window {title}"), || self.find(title)).await
    }

    /// Waits until there is no such window any more.
    pub async fn until_gone(&self, title: &str) {
        eventually(&format!("no window {title}"), || async {
            self.find(title).await.is_none().then_some(())
        })
        .await;
    }

    /// The window that keys go to.
    pub async fn active_window(&self) -> Window {
        Window(self.hands(&["getactivewindow"]).await)
    }

    /// Brings a window to the front, as a press on its title does.
    pub async fn activate(&self, window: &Window) {
        self.hands(&["windowactivate", "--sync", &window.0]).await;
    }

    /// What is on the screen now: the server keeps it as X writes windows into files.
    pub fn look(&self) -> Sight {
        let file = std::fs::read(self.screen.path().join("Xvfb_screen0")).expect("a screen");
        let field = |at: usize| {
            let bytes = file[at * 4..][..4].try_into().expect("four bytes");
            u32::from_be_bytes(bytes) as usize
        };
        // Its length, and the number of colours, of twelve bytes each.
        let (header, colours) = (field(0), field(19));
        Sight(file[header + colours * 12..][..WIDTH * HEIGHT * 4].to_vec())
    }

    /// What is on the screen once nothing moves there any more: a browser draws its window
    /// bit by bit.
    pub async fn look_when_still(&self) -> Sight {
        eventually("the screen stands still", || async {
            let passing = self.look();
            tokio::time::sleep(STILL).await;
            Some(self.look()).filter(|now| *now == passing)
        })
        .await
    }

    /// Keeps a picture of the screen for people to look at.
    pub async fn keep(&self, name: &str) {
        let file = self.pictures.join(format!("{name}.png"));
        let mut import = self.command("import");
        let status = import.args(["-window", "root"]).arg(&file).status().await;
        let status = status.expect("ImageMagick runs; `make install-test` installs it");
        assert!(status.success(), "a picture is kept");
    }

    async fn find(&self, title: &str) -> Option<Window> {
        let mut search = self.command("xdotool");
        let output = search.args(["search", "--onlyvisible", "--name", title]).output().await;
        let found = String::from_utf8(output.expect("xdotool runs").stdout).expect("numbers");
        found.lines().next().map(|id| Window(id.to_owned()))
    }

    async fn hands(&self, arguments: &[&str]) -> String {
        let output = self.command("xdotool").args(arguments).output().await;
        let output = output.expect("xdotool runs; `make install-test` installs it");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "xdotool {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).kill_on_drop(true);
        command
    }
}

impl Sight {
    /// A place in the lowest area of this colour, blue, green and red, that wasn't there
    /// before: as large as the padding beside the words of a button of the browser's own.
    pub fn newly_filled(&self, before: &Sight, colour: [u8; 3]) -> Option<(usize, usize)> {
        let pixels = self.0.chunks_exact(4).zip(before.0.chunks_exact(4));
        let new: Vec<bool> =
            pixels.map(|(now, then)| now[..3] == colour && then[..3] != colour).collect();
        let is_filled = |x: usize, y: usize| {
            (y..y + PADDING.1).all(|y| new[y * WIDTH..][x..x + PADDING.0].iter().all(|new| *new))
        };
        let rows = (0..HEIGHT - PADDING.1).rev();
        let mut places = rows.flat_map(|y| (0..WIDTH - PADDING.0).rev().map(move |x| (x, y)));
        let (x, y) = places.find(|(x, y)| is_filled(*x, *y))?;
        Some((x + PADDING.0 / 2, y + PADDING.1 / 2))
    }

    /// The middle of what has the focus now, and hadn't before: the ring around it
    /// is what was drawn in between.
    pub fn newly_focused(&self, before: &Sight) -> Option<(usize, usize)> {
        let pixels = self.0.chunks_exact(4).zip(before.0.chunks_exact(4)).enumerate();
        let drawn = pixels.filter(|(_, (now, then))| now[..3] == RING && then[..3] != RING);
        let places: Vec<_> = drawn.map(|(at, _)| (at % WIDTH, at / WIDTH)).collect();
        let middle = |of: fn(&(usize, usize)) -> usize| {
            let (least, most) = (places.iter().map(of).min()?, places.iter().map(of).max()?);
            Some(least.midpoint(most))
        };
        Some((middle(|(x, _)| *x)?, middle(|(_, y)| *y)?))
    }
}
