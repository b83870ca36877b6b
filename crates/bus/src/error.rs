//! What goes wrong with a bus when it is set up. Later nothing does: it comes back by
//! itself, and what was missed is in the store.

/// There is no bus.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// Nobody there, or nobody who lets us in.
    #[error(
        "the NATS server {server} can't be reached: {detail}. See whether it runs and whether \
         NATS_URL is right, and try again"
    )]
    Unreachable {
        /// Which one, without its password.
        server: String,
        /// What was met.
        detail: String,
    },
    /// A server that keeps nothing.
    #[error(
        "the NATS server {server} has no JetStream for us: {detail}. Start it with `nats-server \
         -js`, or allow this account to use it"
    )]
    NoJetStream {
        /// Which one, without its password.
        server: String,
        /// What it said.
        detail: String,
    },
}

impl BusError {
    /// Stable, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            BusError::Unreachable { .. } => "bus_unreachable",
            BusError::NoJetStream { .. } => "bus_no_jetstream",
        }
    }
}
