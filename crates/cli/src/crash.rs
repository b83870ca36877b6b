//! What a crash leaves behind: where in the program it was, and no word of what the
//! program was at work on. A message may hold a page's text, and a core dump has
//! everything in it.

use std::panic::PanicHookInfo;

use crate::output::write_line;

/// From now on a crash tells nothing but its place.
pub(crate) fn leave_nothing() {
    std::panic::set_hook(Box::new(|panic| write_line(std::io::stderr(), &words(panic))));
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Core);
        // Where that can't be set, there was no dump to be had either.
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum });
    }
}

fn words(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map_or_else(
        || "an unknown place".to_owned(),
        |place| format!("{}:{}", place.file(), place.line()),
    );
    format!(
        "outrigger: this is a bug, at {place} of version {}. Please report it.",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn a_crash_tells_its_place_and_nothing_of_what_was_worked_on() {
        let told = Arc::new(Mutex::new(String::new()));
        let heard = told.clone();
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| *heard.lock().unwrap() = words(panic)));
        let text = "secret page";
        let crash = std::panic::catch_unwind(|| panic!("not a boundary of {text:?}"));
        std::panic::set_hook(before);
        assert!(crash.is_err());
        let told = told.lock().unwrap().clone();
        assert!(told.contains("crash.rs:") && !told.contains("secret"), "{told}");
    }
}
