//! Prints the tool reference; `make docs` writes it to docs/tools.md.
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use outrigger_browser::{Desk, reference, tools};
use outrigger_dispatch::Catalogue;

fn main() {
    let mut catalogue = Catalogue::default();
    tools::register(&mut catalogue, &Arc::new(Desk::default()));
    print!("{}", reference::render(&catalogue));
}
