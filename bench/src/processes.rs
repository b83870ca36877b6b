//! Owns the processes that the benchmark starts: finds all that descend from it, adds up their memory and ends
//! them. Only descendants are ever looked at or ended. Servers start browsers and daemons that outlive their
//! parent; being a subreaper, the benchmark becomes their parent then, so none of them gets out of sight.

use std::{
    collections::HashMap,
    fs,
    path::PathBuf,
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    sys::{
        prctl,
        signal::{Signal, kill},
        wait::{WaitPidFlag, waitpid},
    },
    unistd::Pid,
};

use crate::failure::Failure;

const TERMINATE_WITHIN: Duration = Duration::from_secs(2);
const KILL_WITHIN: Duration = Duration::from_secs(5);
const BROWSER_PREFIXES: [&str; 4] = ["chrom", "google-chrome", "brave", "msedge"];

/// A process that descends from the benchmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Descendant {
    pub(crate) pid: i32,
    /// File name of the executable: a process may rename itself, its executable stays.
    pub(crate) program: String,
    pub(crate) resident_kib: u64,
}

impl Descendant {
    /// Browsers are the same for every server, and no server's own memory.
    pub(crate) fn is_browser(&self) -> bool {
        BROWSER_PREFIXES.iter().any(|prefix| self.program.starts_with(prefix))
    }
}

/// Makes orphans of our servers our children.
pub(crate) fn adopt_orphans() -> nix::Result<()> {
    prctl::set_child_subreaper(true)
}

/// All living processes below this one.
pub(crate) fn descendants() -> Vec<Descendant> {
    let parents = running_processes();
    below(std::process::id().cast_signed(), &parents)
        .into_iter()
        .map(|pid| Descendant {
            pid,
            program: program_of(pid),
            resident_kib: resident_kib(pid).unwrap_or(0),
        })
        .collect()
}

/// Ends all descendants: first asks, then kills, then waits until none is left.
pub(crate) fn end_descendants() {
    for (signal, patience) in [(Signal::SIGTERM, TERMINATE_WITHIN), (Signal::SIGKILL, KILL_WITHIN)]
    {
        let deadline = Instant::now() + patience;
        let mut asked: Vec<i32> = Vec::new();
        loop {
            reap();
            let alive = below(std::process::id().cast_signed(), &running_processes());
            if alive.is_empty() {
                return;
            }
            if Instant::now() > deadline {
                break;
            }
            // A process may start another while we look: whoever is new is asked as well.
            for pid in alive {
                if signal == Signal::SIGKILL || !asked.contains(&pid) {
                    asked.push(pid);
                    let _ = kill(Pid::from_raw(pid), signal);
                }
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Runs a program to its end, unless that takes too long. Whatever it has left behind is a descendant.
pub(crate) fn run_within(
    command: &mut Command,
    what: &'static str,
    deadline: Duration,
) -> Result<(ExitStatus, Duration), Failure> {
    let began = Instant::now();
    let mut child =
        command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().map_err(Failure::io(what))?;
    loop {
        if let Some(status) = child.try_wait().map_err(Failure::io(what))? {
            return Ok((status, began.elapsed()));
        }
        if began.elapsed() > deadline {
            let _ = child.kill();
            return Err(Failure::Deadline { what: what.to_owned(), after: deadline });
        }
        thread::sleep(Duration::from_micros(500));
    }
}

/// Collects the exit states of children that have ended, so that no zombies stay behind.
fn reap() {
    loop {
        match waitpid(Pid::from_raw(-1), Some(WaitPidFlag::WNOHANG)) {
            Ok(status) if status.pid().is_some() => {}
            Err(Errno::EINTR) => {}
            Ok(_) | Err(_) => return,
        }
    }
}

/// Parent by process, zombies left out.
fn running_processes() -> HashMap<i32, i32> {
    let Ok(entries) = fs::read_dir("/proc") else { return HashMap::new() };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok())
        .filter_map(|pid| {
            Some((pid, parse_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?))
        })
        .collect()
}

/// The parent's id in a line of `/proc/<pid>/stat`; none for a zombie. The program's name, in parentheses, may
/// hold spaces and parentheses itself, so the fields are counted from the last one.
fn parse_stat(line: &str) -> Option<i32> {
    let mut fields = line.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    (state != "Z" && state != "X").then_some(parent)
}

fn below(root: i32, parents: &HashMap<i32, i32>) -> Vec<i32> {
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(parents.iter().filter(|(_, of)| **of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found.split_off(1)
}

fn program_of(pid: i32) -> String {
    fs::read_link(format!("/proc/{pid}/exe"))
        .ok()
        .as_ref()
        .and_then(|path: &PathBuf| path.file_name())
        .map(|name| name.to_string_lossy().trim_end_matches(" (deleted)").to_owned())
        .unwrap_or_default()
}

fn resident_kib(pid: i32) -> Option<u64> {
    parse_resident(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
}

fn parse_resident(status: &str) -> Option<u64> {
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_found_behind_a_name_with_parentheses() {
        assert_eq!(parse_stat("12 (a (b) c) S 7 12 12 0"), Some(7));
    }

    #[test]
    fn a_zombie_is_not_a_running_process() {
        assert_eq!(parse_stat("12 (chromium) Z 1 12 12 0"), None);
    }

    #[test]
    fn resident_memory_is_read_in_kib() {
        assert_eq!(
            parse_resident("Name:\tnode\nVmRSS:\t  145044 kB\nThreads:\t11\n"),
            Some(145_044)
        );
    }

    #[test]
    fn a_program_that_takes_too_long_is_ended() {
        let mut endless = Command::new("sleep");
        endless.arg("60");
        let outcome = run_within(&mut endless, "sleep", Duration::from_millis(50));
        assert!(matches!(outcome, Err(Failure::Deadline { .. })));
        assert!(
            run_within(&mut Command::new("true"), "true", Duration::from_secs(5))
                .unwrap()
                .0
                .success()
        );
    }

    #[test]
    fn grandchildren_descend_and_strangers_do_not() {
        let parents = HashMap::from([(2, 1), (3, 2), (4, 3), (9, 8)]);
        let mut found = below(2, &parents);
        found.sort_unstable();
        assert_eq!(found, [3, 4]);
    }

    #[test]
    fn a_server_named_after_chrome_is_no_browser() {
        let process =
            |program: &str| Descendant { pid: 1, program: program.to_owned(), resident_kib: 1 };
        assert!(process("chromium").is_browser());
        assert!(process("chrome_crashpad_handler").is_browser());
        assert!(!process("node").is_browser());
        assert!(!process("outrigger").is_browser());
    }
}
