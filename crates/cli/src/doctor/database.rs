//! Is the PostgreSQL there that records are kept in?

use std::time::Duration;

use outrigger_store::records::{PostgresRecords, Retention};

use super::{Finding, Patient, Verdict};

/// A server that is there answers sooner.
const PATIENCE: Duration = Duration::from_secs(3);

/// None where records are in the hub's own file.
pub(crate) async fn check(patient: &Patient<'_>) -> Option<Finding> {
    let address = patient.settings.database_url.as_ref()?;
    let opened = PostgresRecords::connect(address.reveal(), PATIENCE, Retention::default()).await;
    let verdict = match opened {
        Ok(records) => {
            records.close().await;
            Verdict::Fine(format!("{address} answers, and records are kept there"))
        }
        Err(error) => Verdict::of_error(&error.to_string()),
    };
    Some(Finding { name: "database", verdict })
}
