//! A temporary folder that leaves nothing behind, even where a browser's
//! profile was in it. A browser that is killed with its test goes on writing for
//! a moment, so a folder that is removed once and for all is there again.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How deep profiles are in a folder: `launched/<launch>/profile`.
const PROFILE_DEPTH: usize = 3;
/// A profile's link to the socket of the browser that uses it.
const SOCKET: &str = "SingletonSocket";

/// A folder of one test's own. When it is dropped, whatever runs from it ends
/// and it is removed.
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// An empty folder.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Scratch { path: folder.keep() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let name = self.path.display().to_string();
        let deadline = Instant::now() + crate::PATIENCE;
        let mut elsewhere = Vec::new();
        loop {
            elsewhere.extend(folders_elsewhere(&self.path, PROFILE_DEPTH));
            let users = users_of(&name);
            for user in &users {
                // Gone by itself meanwhile, if that fails.
                let _ = kill_process(*user, Signal::KILL);
            }
            let is_removed = match fs::remove_dir_all(&self.path) {
                Ok(()) => true,
                Err(error) => error.kind() == ErrorKind::NotFound,
            };
            if is_removed && users.is_empty() {
                for folder in elsewhere {
                    let _ = fs::remove_dir_all(folder);
                }
                return;
            }
            if Instant::now() > deadline {
                let is_failing = std::thread::panicking();
                assert!(is_failing, "{name} can't be removed; {} processes use it", users.len());
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A browser that is killed leaves a folder for its socket where all temporary
/// files are; its profile says where.
fn folders_elsewhere(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let socket = fs::read_link(folder.join(SOCKET)).ok();
    let own = socket.filter(|socket| socket.ends_with(SOCKET)).and_then(|socket| {
        let parent = socket.parent()?;
        parent.starts_with(std::env::temp_dir()).then(|| parent.to_owned())
    });
    let mut found: Vec<PathBuf> = own.into_iter().collect();
    if depth > 0 {
        let inner = fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = inner.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
        found.extend(folders.flat_map(|entry| folders_elsewhere(&entry.path(), depth - 1)));
    }
    found
}

/// Processes with this folder in their command line. Those that have ended have
/// none any more.
fn users_of(folder: &str) -> Vec<Pid> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        let pid = Pid::from_raw(number).filter(|pid| *pid != rustix::process::getpid())?;
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        String::from_utf8_lossy(&line).contains(folder).then_some(pid)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_folder_is_gone_though_somebody_keeps_writing_to_it() {
        let scratch = Scratch::new();
        let path = scratch.path().to_owned();
        let script =
            r#"while :; do mkdir -p "$0/profile/cache"; : > "$0/profile/cache/$RANDOM"; done"#;
        let mut writer =
            Command::new("bash").args(["-c", script]).arg(&path).spawn().expect("bash");
        while !path.join("profile/cache").exists() {
            std::thread::yield_now();
        }
        drop(scratch);
        let ended = writer.wait().expect("the writer ends");
        assert!(!ended.success(), "it was ended: {ended}");
        assert!(!path.exists());
    }
}
