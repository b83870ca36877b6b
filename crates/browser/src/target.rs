//! What an action is to act on, and the one rule about it: said in exactly one
//! way, as a ref, a selector or a point. A ref is authorized for the origin of
//! its frame. A selector and a point are looked up in the page, after the
//! tab's origin was authorized, and only there: what they find in a frame of
//! another origin is told with its ref, and not touched.

use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::fault::PageWords;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Fault, Shown};
use outrigger_guard::{Origin, PermissionKey};
use outrigger_protocol::ErrorCode;
use outrigger_protocol::inspection::Selector;
use outrigger_snapshot::{ElementKey, Ref};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use crate::browsers::LinkedBrowser;
use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host};
use crate::query::{Answer, Asked, Found};
use crate::selector::{self, Wanted};
use crate::sighting;

/// So many of several candidates are named.
const NAMED_CANDIDATES: u32 = 5;

/// How long is waited for what was there before.
const PATIENCE: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(100);

/// The target as an agent says it, flattened into the arguments of a tool.
/// Its fields have no descriptions: every acting tool has them, and the server's
/// instructions explain them once.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
pub struct Target {
    r#ref: Option<String>,
    selector: Option<String>,
    x: Option<f64>,
    y: Option<f64>,
}

/// A target that was said rightly.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// By ref.
    Ref(Ref),
    /// By selector.
    Matching(Selector),
    /// At a point of the viewport, in CSS pixels.
    Point([f64; 2]),
}

impl Said {
    /// For the user, who is asked before anybody looks. A ref is named as the page calls it.
    fn in_words(&self) -> Option<String> {
        match self {
            Said::Ref(_) => None,
            Said::Matching(selector) => Some(selector::in_words(selector)),
            Said::Point([x, y]) => {
                Some(format!("what is {x} pixels from the left and {y} from the top"))
            }
        }
    }
}

impl Target {
    /// The target of a ref.
    pub fn of_ref(name: impl Into<String>) -> Self {
        Target { r#ref: Some(name.into()), ..Target::default() }
    }

    /// The target of a selector, or of the ref that it is.
    pub fn of_selector(selector: impl Into<String>) -> Self {
        Target { selector: Some(selector.into()), ..Target::default() }
    }

    /// The target at a point.
    pub fn of_point(x: f64, y: f64) -> Self {
        Target { x: Some(x), y: Some(y), ..Target::default() }
    }

    /// Whether anything was said at all.
    pub fn is_given(&self) -> bool {
        *self != Target::default()
    }

    /// What was said, if it was said in exactly one way.
    pub fn said(&self) -> Result<Said, BrowserError> {
        match (&self.r#ref, &self.selector, self.x, self.y) {
            (Some(name), None, None, None) => parse_ref(name).map(Said::Ref),
            (None, Some(selector), None, None) => match Wanted::read(selector) {
                Wanted::Ref(name) => Ok(Said::Ref(name)),
                Wanted::Matching(selector) => Ok(Said::Matching(selector)),
            },
            (None, None, Some(x), Some(y)) if x >= 0.0 && y >= 0.0 => Ok(Said::Point([x, y])),
            (None, None, Some(_), Some(_)) => Err(BrowserError::BadTarget(
                "`x` and `y` are counted from the top left corner of the viewport and can't be negative",
            )),
            (None, None, Some(_), None) | (None, None, None, Some(_)) => {
                Err(BrowserError::BadTarget("`x` and `y` belong together"))
            }
            (None, None, None, None) => {
                Err(BrowserError::BadTarget("It does not say what to act on"))
            }
            _ => Err(BrowserError::BadTarget("It says what to act on in several ways")),
        }
    }
}

fn parse_ref(name: &str) -> Result<Ref, BrowserError> {
    name.parse().map_err(|_| BrowserError::NotARef(name.to_owned()))
}

/// Where a call goes to: a tab, and what in it.
pub struct Aimed {
    /// The browser.
    pub browser: Arc<LinkedBrowser>,
    /// The tab.
    pub tab: i64,
    /// None: the tab itself is meant.
    said: Option<Said>,
    known: Option<ElementKey>,
    /// Where on it.
    point: Option<[f64; 2]>,
}

impl Aimed {
    /// The browser and the tab.
    pub(crate) fn place(&self) -> (&Arc<LinkedBrowser>, i64) {
        (&self.browser, self.tab)
    }

    /// From now on this very element is meant, however it was said.
    pub(crate) fn settle_on(&mut self, pointed: &Pointed) {
        self.said = Some(Said::Ref(pointed.name));
        self.known = Some(pointed.element.clone());
        self.point = pointed.point;
    }
}

/// The one element that a target means.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointed {
    /// Its name, for the reply.
    pub name: Ref,
    /// Where it is.
    pub element: ElementKey,
    /// The point to use, if the agent chose one.
    pub point: Option<[f64; 2]>,
    /// What it is, in words of the page, where the agent could not know.
    pub told: Option<String>,
}

impl Desk {
    /// Aims at a target. The access is to the origin of a ref's frame, or to
    /// that of the tab.
    pub async fn aim_at(
        &self,
        circumstances: &Circumstances,
        key: PermissionKey,
        target: &Target,
    ) -> Result<Aim<Aimed>, BrowserError> {
        let said = target.said()?;
        self.aim_at_said(circumstances, key, Some(said)).await
    }

    /// The same, where the tab is meant if nothing is said.
    pub async fn aim_at_any(
        &self,
        circumstances: &Circumstances,
        key: PermissionKey,
        target: &Target,
    ) -> Result<Aim<Aimed>, BrowserError> {
        let said = if target.is_given() { Some(target.said()?) } else { None };
        self.aim_at_said(circumstances, key, said).await
    }

    async fn aim_at_said(
        &self,
        circumstances: &Circumstances,
        key: PermissionKey,
        said: Option<Said>,
    ) -> Result<Aim<Aimed>, BrowserError> {
        if let Some(Said::Ref(name)) = said {
            let Aim { target, access, shown } =
                self.aim_at_element(circumstances, key, name).await?;
            let (browser, tab, known) = (target.browser, target.tab, Some(target.element));
            return Ok(Aim {
                target: Aimed { browser, tab, said, known, point: None },
                access,
                shown,
            });
        }
        let Aim { target: TabTarget { browser, tab }, access, shown } =
            self.aim(circumstances, key).await?;
        let tab = tab.ok_or(BrowserError::NoCurrentTab)?;
        let shown = Shown { element: said.as_ref().and_then(Said::in_words), ..shown };
        Ok(Aim { target: Aimed { browser, tab, said, known: None, point: None }, access, shown })
    }
}

/// The tab of an authorized call.
pub fn page_of_aim<P>(call: &Authorized<P, Aimed>) -> Page<'_> {
    let Aimed { browser, tab, .. } = &call.target;
    Page::of_tab(browser, *tab, call.leave(), call.circumstances.deadline)
}

/// The tab of an authorized call, and the element that its target means.
pub async fn pointed_of<P>(call: &Authorized<P, Aimed>) -> Result<(Page<'_>, Pointed), Fault> {
    match maybe_pointed_of(call).await? {
        (page, Some(pointed)) => Ok((page, pointed)),
        (_, None) => Err(BrowserError::BadTarget("It does not say what to act on").into()),
    }
}

/// The same, where the tab itself may be meant.
pub async fn maybe_pointed_of<P>(
    call: &Authorized<P, Aimed>,
) -> Result<(Page<'_>, Option<Pointed>), Fault> {
    let page = page_of_aim(call);
    let Aimed { said: Some(said), known, point, .. } = &call.target else {
        return Ok((page, None));
    };
    let pointed = find(&page, said, known.as_ref()).await?;
    let pointed = Pointed { point: pointed.point.or(*point), ..pointed };
    sighting::tell(&call.circumstances, &page, std::slice::from_ref(&pointed)).await;
    Ok((page, Some(pointed)))
}

async fn find(page: &Page<'_>, said: &Said, known: Option<&ElementKey>) -> Result<Pointed, Fault> {
    Ok(match (said, known) {
        (Said::Ref(name), Some(element)) => {
            Pointed { name: *name, element: element.clone(), point: None, told: None }
        }
        // A ref is always known by now: `aim_at` found its element.
        (Said::Ref(name), None) => return Err(BrowserError::StaleRef(name.to_string()).into()),
        (Said::Matching(selector), _) => the_one(page, selector).await?,
        (Said::Point(point), _) => at_point(page, *point).await?,
    })
}

/// Another element of the same tab, under the same grant: what is in a frame of
/// another origin is out of reach.
pub async fn also_pointed(page: &Page<'_>, target: &Target) -> Result<Pointed, Fault> {
    let said = target.said()?;
    let Said::Ref(name) = said else { return find(page, &said, None).await };
    let element = page.element(name)?;
    if page.origin_of(&element)? != *page.origin() {
        let message = "The two are in frames of different sites. Use what is in one of them.";
        return Err(Fault::tool(ErrorCode::NotAllowed, message));
    }
    find(page, &said, Some(&element)).await
}

/// Where something of another element is dropped: in the same tab, and also in a frame of
/// another site if a click there would not be asked for. With the site that it is of.
pub async fn dropped_on(page: &Page<'_>, target: &Target) -> Result<(Pointed, Origin), Fault> {
    let said = target.said()?;
    let Said::Ref(name) = said else {
        return Ok((find(page, &said, None).await?, page.origin().clone()));
    };
    let element = page.element(name)?;
    let origin = page.origin_of(&element)?;
    if origin != *page.origin() && !page.may_act(&origin) {
        let message = "The two ends are in frames of different sites, and acting in the other one \
                       was not allowed yet. Click something there first, which asks for it.";
        return Err(Fault::tool(ErrorCode::NotAllowed, message));
    }
    Ok((find(page, &said, Some(&element)).await?, origin))
}

/// The only element that matches and can be seen.
async fn the_one(page: &Page<'_>, selector: &Selector) -> Result<Pointed, Fault> {
    let wanted = Wanted::Matching(selector.clone());
    let asked = Asked {
        limit: NAMED_CANDIDATES,
        visible_only: true,
        only_in: Some(page.origin().clone()),
        ..Asked::default()
    };
    let answer = match selector {
        Selector::Known(_) => awaited(page, &wanted, &asked).await?,
        _ => page.query(&wanted, asked.clone()).await?,
    };
    match answer.found.as_slice() {
        [only] if answer.total == 1 => Ok(pointed(only, None)),
        [] if !answer.elsewhere.is_empty() => Err(refusal(
            page,
            ErrorCode::NotFound,
            "The selector finds nothing in the page's own frames, only in a frame of another \
             site. Use the ref of the element there, which is asked for on its own."
                .to_owned(),
            &answer.elsewhere,
        )),
        [] => {
            let asked = Asked { visible_only: false, ..asked };
            let hidden = page.query(&wanted, asked).await?;
            Err(nothing(page, &hidden))
        }
        several => {
            let message = format!(
                "{} elements match, so nothing was done. Use the ref of the one you mean, or a \
                 narrower selector.",
                answer.total
            );
            Err(refusal(page, ErrorCode::Ambiguous, message, several))
        }
    }
}

/// What was there before may come a moment later: whoever runs steps again doesn't look
/// at the page between them.
async fn awaited(page: &Page<'_>, wanted: &Wanted, asked: &Asked) -> Result<Answer, BrowserError> {
    let until = Instant::now() + PATIENCE;
    loop {
        let answer = page.query(wanted, asked.clone()).await?;
        let is_there = !answer.found.is_empty() || !answer.elsewhere.is_empty();
        if is_there || Instant::now() >= until {
            return Ok(answer);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn nothing(page: &Page<'_>, hidden: &Answer) -> Fault {
    if hidden.total > 0 {
        let message =
            "What matches can't be seen. It may be in a closed menu or another tab of the page.";
        return refusal(page, ErrorCode::Hidden, message.to_owned(), &hidden.found);
    }
    let message = "No element of the page matches. Try another selector, browser_find, or take a \
                   browser_snapshot";
    BrowserError::NotFound(message.to_owned()).into()
}

/// The innermost element at a point.
async fn at_point(page: &Page<'_>, point: [f64; 2]) -> Result<Pointed, Fault> {
    let (found, point) = page.locate(point).await?;
    if page.origin_of(&found.key)? != *page.origin() {
        let message = "At that point is a frame of another site, so nothing was done. Use the ref \
                       of what is in it, which is asked for on its own."
            .to_owned();
        return Err(refusal(page, ErrorCode::NotAllowed, message, &[found]));
    }
    Ok(pointed(&found, Some(point)))
}

fn pointed(found: &Found, point: Option<[f64; 2]>) -> Pointed {
    let told = point.map(|_| found.headline());
    Pointed { name: found.name, element: found.key.clone(), point, told }
}

/// Which elements it is about is told as the page's words.
fn refusal(page: &Page<'_>, code: ErrorCode, message: String, about: &[Found]) -> Fault {
    let lines: Vec<String> = about.iter().map(Found::headline).collect();
    let domain = page.facts().map(|tab| host(&tab.url)).unwrap_or_default();
    Fault::Tool { code, message, page: Some(PageWords { domain, text: lines.join("\n") }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct SampleParams {
        #[serde(flatten)]
        target: Target,
        count: Option<u8>,
    }

    fn said(arguments: Value) -> Result<Said, BrowserError> {
        serde_json::from_value::<Target>(arguments).unwrap().said()
    }

    #[test]
    fn a_target_is_said_in_one_way() {
        assert_eq!(said(json!({"ref": "e7"})), Ok(Said::Ref("e7".parse().unwrap())));
        assert_eq!(said(json!({"selector": "e7"})), Ok(Said::Ref("e7".parse().unwrap())));
        let css = Selector::Css("#go".into());
        assert_eq!(said(json!({"selector": "#go"})), Ok(Said::Matching(css)));
        assert_eq!(said(json!({"x": 3, "y": 4.5})), Ok(Said::Point([3.0, 4.5])));
    }

    #[test]
    fn a_target_that_is_said_otherwise_is_refused_with_what_is_right() {
        for wrong in [
            json!({}),
            json!({"ref": "e1", "selector": "#go"}),
            json!({"ref": "e1", "x": 1, "y": 1}),
            json!({"x": 1}),
            json!({"x": -1, "y": 1}),
        ] {
            let error = said(wrong.clone()).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidArguments, "{wrong}");
            assert!(error.to_string().contains("`selector`"), "{error}");
        }
    }

    /// Serde's manual warns of flattening beside `deny_unknown_fields`; of a
    /// plain struct it holds.
    #[test]
    fn what_neither_the_target_nor_the_tool_takes_is_refused() {
        let good: SampleParams = serde_json::from_value(json!({"ref": "e1", "count": 2})).unwrap();
        assert_eq!((good.target, good.count), (Target::of_ref("e1"), Some(2)));
        let error = serde_json::from_value::<SampleParams>(json!({"ref": "e1", "cuont": 2}));
        assert!(error.unwrap_err().to_string().contains("cuont"));
    }

    #[test]
    fn a_target_adds_nothing_to_a_schema_but_its_four_names() {
        let schema = outrigger_dispatch::schema::of::<SampleParams>();
        let expected = json!({
            "type": "object",
            "properties": {
                "ref": {"type": "string"},
                "selector": {"type": "string"},
                "x": {"type": "number"},
                "y": {"type": "number"},
                "count": {"type": "integer", "maximum": 255},
            },
        });
        assert_eq!(schema, expected);
    }
}
