//! Is there a browser that can be launched?

use outrigger_hub::launch::find_browser;

use super::{Finding, Patient, Verdict};

pub(crate) fn check(patient: &Patient<'_>) -> Finding {
    let verdict = match find_browser(patient.settings.browser.as_deref()) {
        Ok(path) => Verdict::Fine(format!("{} can be launched", path.display())),
        Err(error) => Verdict::Broken {
            what: error.to_string(),
            fix: "install Chromium (Debian: apt-get install chromium) or set OUTRIGGER_BROWSER"
                .to_owned(),
        },
    };
    Finding { name: "browser", verdict }
}
