//! Owns the opening of what a snapshot has folded away, until nothing is folded any more: what a reader who wants to
//! know all of a page can get at.

use std::collections::{HashSet, VecDeque};

use crate::{
    failure::Failure,
    our_snapshot::{body, handles},
    reply,
    servers::Server,
    stdio::StdioServer,
};

/// A page that keeps giving new handles would otherwise never end.
const MOST_HANDLES: usize = 500;

/// The text of everything behind the handles in a snapshot, and of what is behind those.
pub(crate) fn open_all(
    server: Server,
    running: &mut StdioServer,
    snapshot: &str,
) -> Result<String, Failure> {
    let mut waiting: VecDeque<String> = handles(snapshot).into();
    let mut known: HashSet<String> = waiting.iter().cloned().collect();
    let mut texts = String::new();
    while let Some(handle) = waiting.pop_front() {
        let Some((tool, arguments)) = server.open_section(&handle) else { break };
        let opened = match running.call(tool, &arguments) {
            Ok(opened) => reply::text_of(&opened.value),
            // A word of the page that looks like a handle.
            Err(Failure::Refused { .. }) => continue,
            Err(failure) => return Err(failure),
        };
        for inner in handles(&opened) {
            if known.len() < MOST_HANDLES && known.insert(inner.clone()) {
                waiting.push_back(inner);
            }
        }
        texts.push_str(body(&opened));
    }
    Ok(texts)
}
