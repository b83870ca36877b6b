//! Prints the TypeScript form of the wire types; `make types` writes it to the
//! extension.
#![allow(clippy::print_stdout)]

fn main() {
    print!("{}", outrigger_protocol::typescript::render());
}
