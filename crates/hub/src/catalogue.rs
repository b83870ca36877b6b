//! All tools there are. A program that only lists them, or finds one by its name, needs
//! neither a browser nor records.

use std::sync::Arc;

use outrigger_browser::{Desk, tools as browser_tools};
use outrigger_dispatch::{Catalogue, Fault};
use outrigger_protocol::ErrorCode;
use outrigger_records::tools::{self as records_tools, Opening, RecordsHome, Unseen};
use outrigger_store::Owner;

/// Every tool that is always there, over these.
pub(crate) fn over(desk: &Arc<Desk>, records: &Arc<dyn RecordsHome>) -> Catalogue {
    let mut catalogue = Catalogue::default();
    browser_tools::register(&mut catalogue, desk);
    records_tools::register(&mut catalogue, records);
    catalogue
}

/// Every tool that is always there, to be listed and not to be called.
pub fn listing() -> Catalogue {
    let nowhere: Arc<dyn RecordsHome> = Arc::new(Nowhere(Owner::local()));
    over(&Arc::default(), &nowhere)
}

/// No records.
struct Nowhere(Owner);

impl RecordsHome for Nowhere {
    fn owner(&self) -> &Owner {
        &self.0
    }

    fn records(&self) -> Opening<'_> {
        Box::pin(async { Err(Fault::tool(ErrorCode::Internal, "There are no records here.")) })
    }

    fn may_be_read(&self) -> Result<(), Fault> {
        Ok(())
    }

    fn unseen(&self) -> Unseen {
        Unseen::NoBrowser
    }
}
