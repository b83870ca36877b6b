//! The signs by which kinds of pages are told apart, and what each is in words. When a
//! sign is there, `looking` says; what it speaks for, `weights`.

/// Something that tells kinds of pages apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Sign {
    /// Paragraphs of prose.
    Prose,
    /// So many that little else matters.
    LongProse,
    /// Little text in all.
    LittleText,
    /// One password field.
    Password,
    /// Two of them, or one among many fields: somebody registers.
    NewPassword,
    /// A field for a code that was sent.
    OneTimeCode,
    /// A name or an address and nothing else to fill in.
    LoneIdentifier,
    /// Words of signing in, in the head or in controls.
    EntryWords,
    /// Ways back in: a password was forgotten.
    ForgottenWords,
    /// Words of registering.
    RegisterWords,
    /// Many fields.
    ManyFields,
    /// Fields that only a form has: long texts, files, dates, choices.
    FormFields,
    /// Words of filling in.
    FillInWords,
    /// Fields of a card or an account.
    CardFields,
    /// Fields of an address to send to.
    ShippingFields,
    /// Words of buying, in head or address.
    CheckoutWords,
    /// Words of buying among the labels.
    CheckoutLabels,
    /// Prices that are summed up.
    Totals,
    /// Several prices.
    Prices,
    /// One price and a way to buy.
    SingleOffer,
    /// The address has a query that somebody typed.
    Query,
    /// That query is in the head as well.
    QueryInHead,
    /// So many results were found.
    ResultCount,
    /// Words of searching in the address.
    SearchAddress,
    /// Ways to sort and to filter.
    Sorting,
    /// Several headings that are links.
    LinkedHeadings,
    /// Many links for the text there is.
    ManyLinks,
    /// Links of which many are next to a picture.
    Pictures,
    /// A way to the next page of them.
    Pagination,
    /// Figures that stand alone.
    Figures,
    /// Tabs, switches, rows and menus of an application.
    AppControls,
    /// Ways to settings and out again.
    OwnArea,
    /// Words of dashboards in the head or address.
    DashboardWords,
    /// Choices of a period of time.
    Periods,
    /// A player.
    Player,
    /// Several controls of a player.
    PlayerControls,
    /// Words of videos in head or address.
    VideoWords,
    /// Folders of a mailbox.
    MailFolders,
    /// What is done with messages.
    MailActions,
    /// Fields of a message.
    MailFields,
    /// Words of mail in head or address.
    MailWords,
    /// A place to write in that is no field.
    Editable,
    /// Controls of an editor.
    EditorControls,
    /// Menus of an editor.
    EditorMenus,
    /// Controls of a viewer.
    ViewerControls,
    /// The address is that of a document.
    DocumentAddress,
    /// Words of saving and sharing.
    SavedWords,
    /// A number of an error in the head.
    FailureNumber,
    /// Words of failure in the head.
    FailureHead,
    /// Words of failure in a short text.
    FailureText,
}

impl Sign {
    /// The sign in words.
    pub(super) fn told(self) -> &'static str {
        match self {
            Sign::Prose => "there are paragraphs of prose",
            Sign::LongProse => "most of it is prose",
            Sign::LittleText => "there is little text",
            Sign::Password => "there is one password field",
            Sign::NewPassword => "a new password is asked for",
            Sign::OneTimeCode => "a one-time code is asked for",
            Sign::LoneIdentifier => "a name or an email address is all that is asked for",
            Sign::EntryWords => "it speaks of signing in",
            Sign::ForgottenWords => "it offers help with signing in",
            Sign::RegisterWords => "it speaks of registering",
            Sign::ManyFields => "there are many fields",
            Sign::FormFields => "there are fields that only forms have",
            Sign::FillInWords => "it speaks of filling in and sending",
            Sign::CardFields => "card or account numbers are asked for",
            Sign::ShippingFields => "an address to deliver to is asked for",
            Sign::CheckoutWords => "title or address speak of buying",
            Sign::CheckoutLabels => "labels speak of buying",
            Sign::Totals => "prices are summed up",
            Sign::Prices => "there are several prices",
            Sign::SingleOffer => "one thing is for sale",
            Sign::Query => "the address has a query in it",
            Sign::QueryInHead => "title or headings repeat the query",
            Sign::ResultCount => "results are counted",
            Sign::SearchAddress => "title or address speak of searching",
            Sign::Sorting => "it can be sorted or filtered",
            Sign::LinkedHeadings => "several headings are links",
            Sign::ManyLinks => "there are many links for so little text",
            Sign::Pictures => "there are several pictures",
            Sign::Pagination => "there are more pages of it",
            Sign::Figures => "figures stand alone",
            Sign::AppControls => "there are tabs, rows or menus",
            Sign::OwnArea => "there are ways to settings or out",
            Sign::DashboardWords => "title or address speak of an overview",
            Sign::Periods => "periods of time can be chosen",
            Sign::Player => "there is a video",
            Sign::PlayerControls => "there are controls of a player",
            Sign::VideoWords => "title or address speak of a video",
            Sign::MailFolders => "there are folders of a mailbox",
            Sign::MailActions => "messages can be answered or written",
            Sign::MailFields => "there are fields of a message",
            Sign::MailWords => "title or address speak of mail",
            Sign::Editable => "there is a place to write in",
            Sign::EditorControls => "there are controls of an editor",
            Sign::EditorMenus => "there are menus of an editor",
            Sign::ViewerControls => "there are controls of a viewer",
            Sign::DocumentAddress => "the address is that of a document",
            Sign::SavedWords => "it can be saved or shared",
            Sign::FailureNumber => "title or headings have the number of an error",
            Sign::FailureHead => "title or headings speak of a failure",
            Sign::FailureText => "its few words speak of a failure",
        }
    }
}
