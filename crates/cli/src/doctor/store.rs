//! Can what the user decided be read, and what is done be kept?

use outrigger_store::activity::Verdict as Chain;
use outrigger_store::{Store, StoreError};

use super::{Finding, Patient, Verdict};

pub(crate) async fn check(patient: &Patient<'_>) -> Finding {
    let path = patient.settings.home.store_path();
    let told = patient.status.as_ref().ok().and_then(|status| status["closedBecause"].as_str());
    let verdict = if !path.exists() {
        Verdict::Note("none yet; the first `outrigger up` makes it".to_owned())
    } else if let Some(reason) = told {
        Verdict::of_error(reason)
    } else {
        match look(&path).await {
            Ok(Chain::Verified { entries }) => {
                Verdict::Fine(format!("can be written, and its log is whole ({entries} entries)"))
            }
            Ok(Chain::Broken { seq, why }) => Verdict::Broken {
                what: format!("the activity log is broken at entry {seq}: {why}"),
                fix: "`outrigger log verify` tells more; don't rely on what comes after it"
                    .to_owned(),
            },
            Err(error) => Verdict::of_error(&error.to_string()),
        }
    };
    Finding { name: "store", verdict }
}

/// As the hub opens it, which finds out whether it can be written.
async fn look(path: &std::path::Path) -> Result<Chain, StoreError> {
    let store = Store::open(path).await?;
    let chain = store.verify_activity().await;
    store.close().await;
    chain
}
