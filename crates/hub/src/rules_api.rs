//! `/api/v1/chat/tool-permissions` and `/api/v1/domain-trust`: what the user decided
//! beforehand, as JSON. Who may ask at all is the gate's to say; what has to be
//! confirmed, `rules.rs` knows.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use http::StatusCode;
use outrigger_guard::change::PolicyChange;
use outrigger_guard::pattern::BadPattern;
use outrigger_guard::policy::{Decision, Policy};
use outrigger_guard::trust::{Trust, listed_domain};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::change_log::Author;
use crate::gate::Sender;
use crate::memory::now_ms;
use crate::rules::{MOST_AT_ONCE, NotChanged, Rules};

/// Where policies are, and sites.
pub(crate) const PERMISSIONS: &str = "/api/v1/chat/tool-permissions";
pub(crate) const TRUST: &str = "/api/v1/domain-trust";

/// The routes.
pub(crate) fn routes(rules: Arc<Rules>) -> Router {
    let policies = get(policies).put(put_policies).delete(remove_policies);
    let trust = get(trust).put(put_trust).delete(remove_trust);
    Router::new().route(PERMISSIONS, policies).route(TRUST, trust).with_state(rules)
}

/// Why a request changes or tells nothing.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("The body is not understood: {0}.")]
    Body(String),
    #[error("{0}.")]
    Pattern(#[from] BadPattern),
    #[error("{0:?} is no decision that lasts. Write allow_always or deny_always.")]
    Decision(String),
    #[error("{0:?} is no name of a site. Write one such as example.com.")]
    Domain(String),
    #[error("{0:?} is nothing a site can be. Write trusted or blocked.")]
    Trust(String),
    #[error(transparent)]
    NotChanged(#[from] NotChanged),
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, code) = match &self {
            Failure::Body(_) => (StatusCode::BAD_REQUEST, "bad_body"),
            Failure::Pattern(_) => (StatusCode::BAD_REQUEST, "bad_pattern"),
            Failure::Decision(_) => (StatusCode::BAD_REQUEST, "bad_decision"),
            Failure::Domain(_) => (StatusCode::BAD_REQUEST, "bad_domain"),
            Failure::Trust(_) => (StatusCode::BAD_REQUEST, "bad_trust"),
            Failure::NotChanged(reason) => {
                let status = match reason {
                    NotChanged::NobodyToAsk => StatusCode::CONFLICT,
                    NotChanged::Refused | NotChanged::NoAnswer => StatusCode::FORBIDDEN,
                    NotChanged::TooMany => StatusCode::TOO_MANY_REQUESTS,
                    NotChanged::Memory(_) => StatusCode::SERVICE_UNAVAILABLE,
                };
                (status, reason.code())
            }
        };
        (status, Json(json!({"error": self.to_string(), "code": code}))).into_response()
    }
}

type Answer = Result<Json<Value>, Failure>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct About {
    tool_pattern: String,
    origin_pattern: String,
}

#[derive(Deserialize)]
struct Decided {
    #[serde(flatten)]
    about: About,
    decision: String,
}

#[derive(Deserialize)]
struct Site {
    domain: String,
}

#[derive(Deserialize)]
struct Listed {
    domain: String,
    trust: String,
}

async fn policies(State(rules): State<Arc<Rules>>) -> Answer {
    let policies = rules.memory.policies().await.map_err(NotChanged::Memory)?;
    Ok(Json(json!({"items": policies.iter().map(item).collect::<Vec<_>>()})))
}

async fn put_policies(
    State(rules): State<Arc<Rules>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Answer {
    let now = now_ms();
    let changes = each(&body, |Decided { about, decision }| {
        let lasting = Decision::parse(&decision).filter(|decision| decision.is_lasting());
        let allows = lasting.ok_or(Failure::Decision(decision))?.allows();
        let policy = Policy::parse(&about.tool_pattern, &about.origin_pattern, allows, now)?;
        Ok(PolicyChange::Put(policy))
    })?;
    let put = changes.iter().filter_map(|change| match change {
        PolicyChange::Put(policy) => Some(item(policy)),
        PolicyChange::Remove { .. } => None,
    });
    let items: Vec<Value> = put.collect();
    rules.change(&Author::of(&sender), changes).await?;
    Ok(Json(json!({"ok": true, "items": items})))
}

async fn remove_policies(
    State(rules): State<Arc<Rules>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Answer {
    let changes = each(&body, |About { tool_pattern, origin_pattern }| {
        let (tools, origins) = (tool_pattern.parse()?, origin_pattern.parse()?);
        Ok(PolicyChange::Remove { tools, origins })
    })?;
    let before = rules.memory.policies().await.map_err(NotChanged::Memory)?;
    let is_there = |change: &&PolicyChange| {
        let (tools, origins) = (change.tools(), change.origins());
        before.iter().any(|policy| policy.tools == *tools && policy.origins == *origins)
    };
    let removed = changes.iter().filter(is_there).count();
    rules.change(&Author::of(&sender), changes).await?;
    Ok(Json(json!({"ok": true, "removed": removed})))
}

async fn trust(State(rules): State<Arc<Rules>>) -> Answer {
    let (stored, set) = rules.memory.listed().await.map_err(NotChanged::Memory)?;
    let stored = stored.iter().map(|listed| {
        let (trust, at) = (listed.standing.as_str(), time(listed.updated_at));
        json!({"domain": listed.domain, "trust": trust, "source": "user", "updatedAt": at})
    });
    let set_as = |trust: &'static str, domains: &[String]| -> Vec<Value> {
        let each = domains.iter();
        each.map(|domain| json!({"domain": domain, "trust": trust, "source": "config"})).collect()
    };
    let (trusted, blocked) = (set_as("trusted", &set.trusted), set_as("blocked", &set.blocked));
    let items: Vec<Value> = stored.chain(trusted).chain(blocked).collect();
    Ok(Json(json!({"items": items})))
}

async fn put_trust(
    State(rules): State<Arc<Rules>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Answer {
    let Listed { domain, trust } = one(parsed(&body)?)?;
    let domain = site(domain)?;
    let wanted = match trust.as_str() {
        "trusted" => Trust::Trusted,
        "blocked" => Trust::Blocked,
        _ => return Err(Failure::Trust(trust)),
    };
    rules.change_trust(&Author::of(&sender), &domain, wanted).await?;
    Ok(Json(json!({"ok": true, "domain": domain, "trust": trust})))
}

async fn remove_trust(
    State(rules): State<Arc<Rules>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Answer {
    let Site { domain } = one(parsed(&body)?)?;
    let domain = site(domain)?;
    let (stored, _) = rules.memory.listed().await.map_err(NotChanged::Memory)?;
    let removed = stored.iter().filter(|listed| listed.domain == domain).count();
    rules.change_trust(&Author::of(&sender), &domain, Trust::Unknown).await?;
    Ok(Json(json!({"ok": true, "domain": domain, "removed": removed})))
}

fn site(name: String) -> Result<String, Failure> {
    listed_domain(&name).ok_or(Failure::Domain(name))
}

/// The changes of a body with one entry, or a list of them; each about another thing,
/// since the order in which they come to hold is not that of the list.
fn each<T: DeserializeOwned>(
    body: &[u8],
    read: impl Fn(T) -> Result<PolicyChange, Failure>,
) -> Result<Vec<PolicyChange>, Failure> {
    let entries = match parsed(body)? {
        Value::Array(entries) => entries,
        entry => vec![entry],
    };
    if entries.is_empty() || entries.len() > MOST_AT_ONCE {
        let count = entries.len();
        return Err(Failure::Body(format!("it has {count} entries, not 1 to {MOST_AT_ONCE}")));
    }
    let mut seen = HashSet::new();
    let changes = entries.into_iter().map(|entry| {
        let change = read(one(entry)?)?;
        let about = (change.tools().clone(), change.origins().clone());
        if seen.insert(about) {
            return Ok(change);
        }
        let (tools, origins) = (change.tools(), change.origins());
        Err(Failure::Body(format!("it names {tools} on {origins} twice")))
    });
    changes.collect()
}

fn parsed(body: &[u8]) -> Result<Value, Failure> {
    serde_json::from_slice(body).map_err(|error| Failure::Body(error.to_string()))
}

fn one<T: DeserializeOwned>(entry: Value) -> Result<T, Failure> {
    serde_json::from_value(entry).map_err(|error| Failure::Body(error.to_string()))
}

fn item(policy: &Policy) -> Value {
    let decision = if policy.allows { Decision::AllowAlways } else { Decision::DenyAlways };
    json!({
        "toolPattern": policy.tools.to_string(),
        "originPattern": policy.origins.to_string(),
        "decision": decision.as_str(),
        "updatedAt": time(policy.updated_at),
    })
}

fn time(ms: i64) -> String {
    let since = Duration::from_millis(u64::try_from(ms).unwrap_or_default());
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}
