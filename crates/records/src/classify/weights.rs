//! How much each sign speaks for each kind of page, and against it. The only place that
//! says so. Weights are differences of log-chances, tuned by hand on the development
//! part of `tests/pages`.

use super::Kind::{
    self, Article, Checkout, Dashboard, Document, Error, Form, Listing, Login, Mail, Other,
    SearchResults, Video,
};
use super::sign::Sign;

/// What a kind has before any sign is seen.
pub(super) fn bias(kind: Kind) -> f64 {
    if kind == Other { 2.0 } else { 0.0 }
}

/// How much a sign speaks for a kind.
pub(super) fn of(sign: Sign, kind: Kind) -> f64 {
    let row = row(sign).iter().find(|(of, _)| *of == kind);
    row.map_or(0.0, |(_, weight)| *weight)
}

fn row(sign: Sign) -> &'static [(Kind, f64)] {
    match sign {
        Sign::Prose => &[
            (Article, 4.0),
            (Listing, -1.5),
            (Error, -2.0),
            (Login, -0.5),
            (Dashboard, -1.0),
            (Other, -0.5),
            (SearchResults, -1.0),
        ],
        Sign::LongProse => &[(Article, 4.0), (Form, -2.0), (Checkout, -1.0), (Video, -1.0)],
        Sign::LittleText => &[(Article, -2.0), (Error, 0.5)],
        Sign::Password => &[(Login, 5.0), (Form, -1.0)],
        Sign::NewPassword => &[(Form, 3.0)],
        Sign::OneTimeCode => &[(Login, 5.0)],
        Sign::LoneIdentifier => &[(Login, 1.5)],
        Sign::EntryWords => &[(Login, 2.5)],
        Sign::ForgottenWords => &[(Login, 1.5)],
        Sign::RegisterWords => &[(Form, 1.0), (Login, -0.5)],
        Sign::ManyFields => &[(Form, 4.0), (Listing, -1.0), (Article, -0.5)],
        Sign::FormFields => &[(Form, 1.5)],
        Sign::FillInWords => &[(Form, 2.0)],
        Sign::CardFields => &[(Checkout, 5.0), (Form, -2.0)],
        Sign::ShippingFields => &[(Checkout, 3.0)],
        Sign::CheckoutWords => &[(Checkout, 4.0), (Form, -0.5)],
        Sign::CheckoutLabels => &[(Checkout, 1.5)],
        Sign::Totals => &[(Checkout, 3.0)],
        Sign::Prices => &[(Checkout, 0.5), (Listing, 1.5), (SearchResults, 0.5)],
        Sign::SingleOffer => &[(Other, 1.5)],
        Sign::Query => &[(SearchResults, 2.5)],
        Sign::QueryInHead => &[(SearchResults, 2.0)],
        Sign::ResultCount => &[(SearchResults, 3.0)],
        Sign::SearchAddress => &[(SearchResults, 1.0)],
        Sign::Sorting => &[(SearchResults, 1.0), (Listing, 1.0)],
        Sign::LinkedHeadings => &[(Listing, 3.0), (SearchResults, 1.0)],
        Sign::ManyLinks => &[(Listing, 2.5), (SearchResults, 0.5)],
        Sign::Pictures => &[(Listing, 1.5)],
        Sign::Pagination => &[(Listing, 2.0), (SearchResults, 1.0)],
        Sign::Figures => &[(Dashboard, 3.0)],
        Sign::AppControls => &[(Dashboard, 2.0), (Mail, 0.5), (Document, 1.0)],
        Sign::OwnArea => &[(Dashboard, 2.0)],
        Sign::DashboardWords => &[(Dashboard, 2.0)],
        Sign::Periods => &[(Dashboard, 1.5)],
        Sign::Player => &[(Video, 3.0)],
        Sign::PlayerControls => &[(Video, 3.5)],
        Sign::VideoWords => &[(Video, 1.5)],
        Sign::MailFolders => &[(Mail, 3.5)],
        Sign::MailActions => &[(Mail, 2.5)],
        Sign::MailFields => &[(Mail, 3.0), (Form, -1.0)],
        Sign::MailWords => &[(Mail, 1.5)],
        Sign::Editable => &[(Document, 1.5), (Mail, 0.5), (Article, -1.5)],
        Sign::EditorControls => &[(Document, 3.0)],
        Sign::EditorMenus => &[(Document, 2.0)],
        Sign::ViewerControls => &[(Document, 3.0)],
        Sign::DocumentAddress => &[(Document, 2.0)],
        Sign::SavedWords => &[(Document, 1.0)],
        Sign::FailureNumber => &[(Error, 3.0)],
        Sign::FailureHead => &[(Error, 4.0)],
        Sign::FailureText => &[(Error, 2.0)],
    }
}
