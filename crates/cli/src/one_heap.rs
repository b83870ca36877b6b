//! One heap for all threads of the hub. The C library gives each thread one of its
//! own, and none gives back what the largest page took: a third of the hub's memory.
//! It heeds its environment alone, and that only when a program starts.

/// Starts this program again where its threads would have a heap each. Comes back
/// where they have one already, or can't be given one: it runs then as it is.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn ensure() {
    use std::env;
    use std::os::unix::process::CommandExt as _;
    use std::process::Command;

    const HEAPS: &str = "MALLOC_ARENA_MAX";
    if env::var_os(HEAPS).is_some() {
        return;
    }
    let mut words = env::args_os();
    let (Some(name), Ok(program)) = (words.next(), env::current_exe()) else { return };
    let error = Command::new(program).arg0(name).args(words).env(HEAPS, "1").exec();
    tracing::debug!(%error, "each thread has a heap of its own");
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn ensure() {}
