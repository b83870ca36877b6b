//! `browser_cookies`: the cookies that the page's site has. What is in one is
//! told only by name.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::ErrorCode;
use outrigger_protocol::capabilities::CdpParams;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cdp::Command;
use crate::desk::{Desk, TabTarget};
use crate::error::BrowserError;
use crate::page::{Page, host, page_of};

/// `browser_cookies`.
pub(super) struct Cookies(pub(super) Arc<Desk>);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum CookieAction {
    #[default]
    List,
    Set,
    Delete,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CookiesParams {
    /// Default: list.
    action: Option<CookieAction>,
    /// Which one. In a list: show its value.
    name: Option<String>,
    /// For set.
    value: Option<String>,
    /// For set. Default: /
    path: Option<String>,
    /// For set, in seconds. Without: until the browser ends.
    max_age: Option<u64>,
    /// For set: pages' scripts can't read it.
    http_only: Option<bool>,
}

/// `Network.getCookies`.
#[derive(Serialize)]
struct GetCookies {
    urls: Vec<String>,
}

impl Command for GetCookies {
    const METHOD: &'static str = "Network.getCookies";
}

/// `Network.setCookie`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SetCookie {
    url: String,
    name: String,
    value: String,
    path: String,
    http_only: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires: Option<u64>,
}

impl Command for SetCookie {
    const METHOD: &'static str = "Network.setCookie";
}

/// `Network.deleteCookies`.
#[derive(Serialize)]
struct DeleteCookies {
    name: String,
    url: String,
}

impl Command for DeleteCookies {
    const METHOD: &'static str = "Network.deleteCookies";
}

/// A cookie, as the debugger tells it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cookie {
    name: String,
    value: String,
    domain: String,
    path: String,
    expires: f64,
    http_only: bool,
    secure: bool,
    #[serde(default)]
    same_site: Option<String>,
}

impl Tool for Cookies {
    type Params = CookiesParams;
    type Target = TabTarget;

    fn definition(&self) -> Definition {
        Definition::of::<CookiesParams>(
            "browser_cookies",
            "Cookies of the page's site: list them, show one by name, set or delete one.",
            RiskLevel::Act,
            ToolSet::Full(Family::Storage),
        )
    }

    async fn aim(
        &self,
        params: &CookiesParams,
        at: &Circumstances,
    ) -> Result<Aim<TabTarget>, Fault> {
        let key = match params.action.unwrap_or_default() {
            CookieAction::List => PermissionKey::ReadCookies,
            CookieAction::Set | CookieAction::Delete => PermissionKey::WriteCookies,
        };
        Ok(self.0.aim(at, key).await?)
    }

    async fn execute(&self, call: Authorized<CookiesParams, TabTarget>) -> Result<Reply, Fault> {
        let params = &call.params;
        let action = params.action.unwrap_or_default();
        let page = page_of(&self.0, &call, action != CookieAction::List).await?;
        let url = site(&page)?;
        match (action, &params.name, &params.value) {
            (CookieAction::List, None, _) => list(&page, &url).await,
            (CookieAction::List, Some(name), _) => show(&page, &url, name).await,
            (CookieAction::Set, Some(name), Some(value)) => {
                set(&page, url, name, value, params).await
            }
            (CookieAction::Delete, Some(name), _) => delete(&page, url, name).await,
            (CookieAction::Set, ..) => Err(wrong(self, "`set` takes a `name` and a `value`")),
            (CookieAction::Delete, ..) => Err(wrong(self, "`delete` takes a `name`")),
        }
    }
}

fn wrong(tool: &Cookies, problem: &str) -> Fault {
    invalid(&tool.definition(), problem.to_owned())
}

/// Only pages of the web have cookies.
fn site(page: &Page<'_>) -> Result<String, Fault> {
    page.refuse_elsewhere()?;
    let url = page.facts()?.url;
    if url.starts_with("http://") || url.starts_with("https://") {
        return Ok(url);
    }
    Err(BrowserError::NotFound(
        "This page is of no site, so it has no cookies. Go to one first".into(),
    )
    .into())
}

async fn send<C: Command>(page: &Page<'_>, command: &C) -> Result<Value, BrowserError> {
    let params = serde_json::to_value(command).unwrap_or(Value::Null);
    page.request("cdp", CdpParams { tab_id: page.tab, method: C::METHOD.to_owned(), params }).await
}

async fn cookies_of(page: &Page<'_>, url: &str) -> Result<Vec<Cookie>, Fault> {
    let mut answer = send(page, &GetCookies { urls: vec![url.to_owned()] }).await?;
    serde_json::from_value(answer["cookies"].take())
        .map_err(|error| page.wrong_shape("cdp", error.to_string()).into())
}

async fn list(page: &Page<'_>, url: &str) -> Result<Reply, Fault> {
    let cookies = cookies_of(page, url).await?;
    if cookies.is_empty() {
        return Ok(Reply::said("The site has no cookies."));
    }
    let lines: Vec<String> = cookies.iter().map(describe).collect();
    Ok(Reply::default()
        .page(host(url), lines.join("\n"))
        .and_said("Values are shown one by one, by name."))
}

async fn show(page: &Page<'_>, url: &str, name: &str) -> Result<Reply, Fault> {
    let cookies = cookies_of(page, url).await?;
    let lines: Vec<String> = cookies
        .iter()
        .filter(|cookie| cookie.name == name)
        .map(|cookie| format!("{}\n{}", describe(cookie), cookie.value))
        .collect();
    if lines.is_empty() {
        return Err(unknown());
    }
    Ok(Reply::default().page(host(url), lines.join("\n")))
}

/// Everything about a cookie but what is in it.
fn describe(cookie: &Cookie) -> String {
    let mut line = format!(
        "{} ({} letters) {}{}",
        cookie.name,
        cookie.value.chars().count(),
        cookie.domain,
        cookie.path
    );
    if cookie.http_only {
        line.push_str(" HttpOnly");
    }
    if cookie.secure {
        line.push_str(" Secure");
    }
    if let Some(same_site) = &cookie.same_site {
        line.push_str(&format!(" SameSite={same_site}"));
    }
    if cookie.expires > 0.0 {
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(cookie.expires as u64);
        line.push_str(&format!(" until {}", humantime::format_rfc3339_seconds(at)));
    }
    line
}

async fn set(
    page: &Page<'_>,
    url: String,
    name: &str,
    value: &str,
    params: &CookiesParams,
) -> Result<Reply, Fault> {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let command = SetCookie {
        url,
        name: name.to_owned(),
        value: value.to_owned(),
        path: params.path.clone().unwrap_or_else(|| "/".to_owned()),
        http_only: params.http_only.unwrap_or(false),
        expires: params.max_age.map(|age| now.as_secs().saturating_add(age)),
    };
    let answer = match send(page, &command).await {
        Err(error) if error.code() == ErrorCode::CapabilityFailed => return Err(invalid_cookie()),
        answer => answer?,
    };
    if answer["success"] == json!(false) {
        return Err(invalid_cookie());
    }
    Ok(Reply::said("Set the cookie. The page sees it at its next request."))
}

async fn delete(page: &Page<'_>, url: String, name: &str) -> Result<Reply, Fault> {
    let is_it = |cookie: &Cookie| cookie.name == name;
    if !cookies_of(page, &url).await?.iter().any(is_it) {
        return Err(unknown());
    }
    send(page, &DeleteCookies { name: name.to_owned(), url: url.clone() }).await?;
    if cookies_of(page, &url).await?.iter().any(is_it) {
        let message = "A cookie of this name is still there, at another path or domain";
        return Err(BrowserError::NotFound(message.to_owned()).into());
    }
    Ok(Reply::said("Deleted the cookie."))
}

fn unknown() -> Fault {
    BrowserError::NotFound("The site has no cookie of this name. List them first".into()).into()
}

fn invalid_cookie() -> Fault {
    Fault::Tool {
        code: ErrorCode::InvalidArguments,
        message: "The browser did not take the cookie: its name, value or path is not valid for \
                  this site. Nothing was set."
            .to_owned(),
        page: None,
    }
}
