//! Asking the user for permission: what is asked is put into words here, shown in
//! the panel of the browser that it is about, and answered there.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use outrigger_dispatch::{Caller, Shown};
use outrigger_guard::consequence::Consequence;
use outrigger_guard::plan::Plan;
use outrigger_guard::{
    Access, Answer, Denial, Origin, PermissionKey, Profile, Question, Why, place,
};
use outrigger_protocol::helm::{Beyond, Detail, PermissionQuestion, Picture, Place, RequestKind};
use tokio::time::Instant;

use crate::browsers::LinkedBrowser;
use crate::desk::Desk;
use crate::user_requests::{Said, TooMany, Wish};

/// Nobody could read more, and nobody agrees to what they can't read.
const LONGEST_DETAILS: usize = 50_000;

const LONGEST_LABEL: usize = 80;

impl Desk {
    /// Asks, and waits for the answer; none within the time is a denial.
    pub async fn ask_permission(
        &self,
        caller: &Caller,
        question: &Question,
        shown: &Shown,
        warnings: Vec<String>,
        time: Duration,
    ) -> Result<Answer, Denial> {
        let Access { key, origin, .. } = question.access();
        let client = self.sessions.with(&caller.session, &caller.client, |s| s.shown_client());
        let asked = Ask {
            browser: shown.browser.clone(),
            session: caller.session.clone(),
            client,
            what: in_words(question, shown.element.as_deref()),
            keys: vec![key.to_string()],
            places: vec![place_of(origin)],
            with: shown.with.clone(),
            each_time: question.is_each_time(),
            beyond: None,
            warnings,
        };
        let key = key.clone();
        let answer = self.ask_showing(asked, shown.picture.clone(), time).await;
        answer.map_err(|unanswered| unanswered.denies(key))
    }

    /// The same for all of a plan, in one question.
    pub async fn ask_plan(
        &self,
        caller: &Caller,
        plan: &Plan,
        shown: &Shown,
        warnings: Vec<String>,
        time: Duration,
    ) -> Result<Answer, Denial> {
        let client = self.sessions.with(&caller.session, &caller.client, |s| s.shown_client());
        let asked = Ask {
            browser: shown.browser.clone(),
            session: caller.session.clone(),
            client,
            what: plan_in_words(plan),
            keys: plan.keys().iter().map(PermissionKey::to_string).collect(),
            places: plan.origins().iter().map(place_of).collect(),
            with: shown.with.clone(),
            each_time: false,
            beyond: Some(Beyond::Plan),
            warnings,
        };
        let key = plan.keys().first().cloned().unwrap_or(PermissionKey::AskUser);
        self.ask_user(asked, time).await.map_err(|unanswered| unanswered.denies(key))
    }

    /// Asks the user for a decision in one browser, and waits for it.
    pub async fn ask_user(&self, ask: Ask, time: Duration) -> Result<Answer, Unanswered> {
        self.ask_showing(ask, None, time).await
    }

    async fn ask_showing(
        &self,
        ask: Ask,
        picture: Option<Picture>,
        time: Duration,
    ) -> Result<Answer, Unanswered> {
        let can_ask = self.askable().iter().any(|browser| browser.id == ask.browser);
        if !can_ask {
            return Err(Unanswered::NobodyToAsk);
        }
        if ask.with.iter().map(|detail| detail.text.len()).sum::<usize>() > LONGEST_DETAILS {
            return Err(Unanswered::TooLong);
        }
        let question = PermissionQuestion {
            keys: ask.keys,
            places: ask.places,
            with: ask.with.iter().map(named).collect(),
            each_time: ask.each_time,
            beyond: ask.beyond,
            warnings: ask.warnings,
            picture,
            until_ms: epoch_ms(SystemTime::now() + time),
        };
        let wish = Wish {
            session: ask.session,
            client: ask.client,
            kind: RequestKind::Permission,
            what: ask.what,
            question: Some((ask.browser, question)),
        };
        match self.requests.ask(wish, Instant::now() + time).await {
            Ok(Some(Said::Decided(answer))) => Ok(answer),
            Ok(_) => Err(Unanswered::NoAnswer),
            Err(TooMany) => Err(Unanswered::TooMany),
        }
    }

    /// Browsers of people who can be asked.
    pub fn askable(&self) -> Vec<Arc<LinkedBrowser>> {
        let mut browsers = self.browsers.all();
        browsers.retain(|browser| {
            browser.has_panel
                && browser.is_users_voice
                && browser.profile == Profile::Personal
                && browser.link.is_connected()
        });
        browsers
    }
}

/// What the user is to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// The browser to ask in.
    pub browser: String,
    /// The session that asks.
    pub session: String,
    /// Who asks, as people know it.
    pub client: String,
    /// What, in words.
    pub what: String,
    /// The permission's keys, as policies name them.
    pub keys: Vec<String>,
    /// Where.
    pub places: Vec<Place>,
    /// With what.
    pub with: Vec<Detail>,
    /// An answer can't be kept.
    pub each_time: bool,
    /// What it is about, where that is more than one call.
    pub beyond: Option<Beyond>,
    /// What to watch out for.
    pub warnings: Vec<String>,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// No linked browser of a person can show a question.
    NobodyToAsk,
    /// None came in time.
    NoAnswer,
    /// The session has too many questions open.
    TooMany,
    /// It would bring along more than anybody reads.
    TooLong,
}

impl Unanswered {
    /// No answer is a no.
    fn denies(self, key: PermissionKey) -> Denial {
        match self {
            Unanswered::NobodyToAsk => Denial::NobodyToAsk { key },
            Unanswered::NoAnswer => Denial::NoAnswer { key },
            Unanswered::TooMany => Denial::TooManyQuestions { key },
            Unanswered::TooLong => Denial::TooLongToShow { key },
        }
    }
}

/// A site as people are shown it.
pub fn place_of(origin: &Origin) -> Place {
    let place::Place { domain, origin, reads_as } = place::Place::of(origin);
    Place { domain, origin, reads_as }
}

fn epoch_ms(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The text is shown in full; a label is a name.
fn named(detail: &Detail) -> Detail {
    let label = detail.label.chars().take(LONGEST_LABEL).collect();
    Detail { label, text: detail.text.clone() }
}

/// `Click button “Order now”. It pays, and can't be undone.`
fn in_words(question: &Question, element: Option<&str>) -> String {
    if question.why() == Why::SeenFirst {
        return "Get this picture, which nobody but you has seen yet".to_owned();
    }
    let mut words = act(&question.access().key);
    if let Some(element) = element {
        words.push_str(&format!(": {element}"));
    }
    match question.why() {
        Why::Undecided | Why::SeenFirst => {}
        Why::RunsCode => words.push_str(", with all that you are logged in to"),
        Why::CannotBeUndone(consequence) => words.push_str(&format!(". {}", stakes(consequence))),
    }
    words
}

/// `Work on these sites without asking again: read the page, click.`
fn plan_in_words(plan: &Plan) -> String {
    let acts = plan.keys().iter().map(|key| {
        let words = act(key);
        let mut letters = words.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    let acts = acts.collect::<Vec<_>>().join(", ");
    format!("Work on these sites without asking again: {acts}")
}

fn stakes(consequence: Consequence) -> &'static str {
    match consequence {
        Consequence::Pays => "This pays or orders something, and can't be undone",
        Consequence::Transfers => "This gives something away, and can't be undone",
        Consequence::Deletes => "This deletes something, and can't be undone",
        Consequence::Sends => "This sends something to others, and can't be undone",
        Consequence::Publishes => "This publishes something, and can't be undone",
        Consequence::ChangesAccess => "This changes who may get in, or how",
        Consequence::Confirms => "This confirms something that can't be undone",
        Consequence::Unknown => {
            "What this does can't be told beforehand, nor whether it can be undone"
        }
    }
}

fn act(key: &PermissionKey) -> String {
    let words = match key {
        PermissionKey::ReadInfo => "See the address and title",
        PermissionKey::ReadDom => "Read the page",
        PermissionKey::ReadScreenshot => "Take a picture of the page",
        PermissionKey::ReadElements => "Read the page's elements",
        PermissionKey::ReadConsole => "Read the page's console",
        PermissionKey::ReadNetwork => "Read what the page loads and sends",
        PermissionKey::ReadCookies => "Read the site's cookies",
        PermissionKey::ReadStorage => "Read what the site keeps in the browser",
        PermissionKey::ReadVitals => "Measure the page",
        PermissionKey::ReadDownloads => "See what was downloaded",
        PermissionKey::Navigate => "Open an address",
        PermissionKey::Click => "Click",
        PermissionKey::Input => "Type, choose or press keys",
        PermissionKey::Scroll => "Scroll",
        PermissionKey::Evaluate => "Run its own code in the page",
        PermissionKey::Wait => "Wait for the page",
        PermissionKey::Dialog => "Answer a dialog of the page",
        PermissionKey::Upload => "Give files to the page",
        PermissionKey::Tabs => "Open or close its tabs",
        PermissionKey::AskUser => "Ask you something",
        PermissionKey::WriteCookies => "Change the site's cookies",
        PermissionKey::WriteStorage => "Change what the site keeps in the browser",
        PermissionKey::Emulate => "Change how the page sees the browser",
        PermissionKey::PageTools => "Call a tool that the page offers",
        PermissionKey::ReadRecords => "Read records",
        PermissionKey::WriteRecords => "Write records",
        PermissionKey::RunWorkflow => "Run workflows",
        PermissionKey::Extension(name) => return format!("Use the extension's {name}"),
    };
    words.to_owned()
}
