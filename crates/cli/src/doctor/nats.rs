//! Is the NATS there that hubs tell each other of records over?

use std::time::Duration;

use outrigger_bus::NatsBus;

use super::{Finding, Patient, Verdict};

/// A server that is there answers sooner.
const PATIENCE: Duration = Duration::from_secs(3);

/// None where no other hub is to be told.
pub(crate) async fn check(patient: &Patient<'_>) -> Option<Finding> {
    let address = patient.settings.nats_url.as_ref()?;
    let verdict = match NatsBus::connect(address.reveal(), PATIENCE).await {
        Ok(_) => Verdict::Fine(format!("{address} answers, and has JetStream")),
        Err(error) => Verdict::of_error(&error.to_string()),
    };
    Some(Finding { name: "nats", verdict })
}
