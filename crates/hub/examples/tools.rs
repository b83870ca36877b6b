//! Prints the tool reference; `make docs` writes it to docs/tools.md.
#![allow(clippy::print_stdout)]

use outrigger_browser::reference;
use outrigger_hub::catalogue;

fn main() {
    print!("{}", reference::render(&catalogue::listing()));
}
