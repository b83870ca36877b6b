//! `/api/v1/chat/tool-permissions` and `/api/v1/domain-trust`: what the user decided
//! beforehand, as JSON. Who may ask at all is the gate's to say; what has to be
//! confirmed, `rules.rs` knows.

use std::borrow::Cow;
use std::collections::HashSet;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use http::StatusCode;
use outrigger_guard::PermissionKey;
use outrigger_guard::change::PolicyChange;
use outrigger_guard::pattern::BadPattern;
use outrigger_guard::policy::{Decision, Policy};
use outrigger_guard::trust::{Trust, listed_domain};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::{
    ArrayBuilder, Object, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, Type,
};
use utoipa::{PartialSchema, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::change_log::Author;
use crate::gate::Sender;
use crate::memory::now_ms;
use crate::problem::Problem;
use crate::rules::{MOST_AT_ONCE, NotAllChanged, NotChanged, Rules};

/// Where policies are, and sites.
pub(crate) const PERMISSIONS: &str = "/api/v1/chat/tool-permissions";
pub(crate) const TRUST: &str = "/api/v1/domain-trust";

/// The routes.
pub(crate) fn routes(rules: Arc<Rules>) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(policies, put_policies, remove_policies))
        .routes(routes!(trust, put_trust, remove_trust))
        .with_state(rules)
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
    #[error(transparent)]
    NotAllChanged(#[from] NotAllChanged),
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, code) = match &self {
            Failure::Body(_) => (StatusCode::BAD_REQUEST, "bad_body"),
            Failure::Pattern(_) => (StatusCode::BAD_REQUEST, "bad_pattern"),
            Failure::Decision(_) => (StatusCode::BAD_REQUEST, "bad_decision"),
            Failure::Domain(_) => (StatusCode::BAD_REQUEST, "bad_domain"),
            Failure::Trust(_) => (StatusCode::BAD_REQUEST, "bad_trust"),
            Failure::NotChanged(reason)
            | Failure::NotAllChanged(NotAllChanged { why: reason, .. }) => {
                let status = match reason {
                    NotChanged::NobodyToAsk => StatusCode::CONFLICT,
                    NotChanged::Refused | NotChanged::NoAnswer => StatusCode::FORBIDDEN,
                    NotChanged::TooMany => StatusCode::TOO_MANY_REQUESTS,
                    NotChanged::Memory(_) => StatusCode::SERVICE_UNAVAILABLE,
                };
                (status, reason.code())
            }
        };
        (status, Json(Problem::new(code, self.to_string()))).into_response()
    }
}

type Answer<T> = Result<Json<T>, Failure>;

/// Which acts, and on which sites.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct About {
    /// `*`, a family such as `tab_action:*`, or one such as `tab_action:click`.
    #[schema(schema_with = act_pattern)]
    tool_pattern: String,
    /// `*`, `https://*`, `*.example.com`, `https://*.example.com` or one origin.
    #[schema(
        pattern = "^([*]|https?://[*]|(https?://)?[*][.][a-z]{3,20}[.]example|https?://[a-z]{1,20}([.][a-z]{2,20}){1,3}(:[1-9][0-9]{0,3})?)$"
    )]
    origin_pattern: String,
}

/// One, or a list of them, each about another thing, as the description has it; what
/// reads it is `each`, which says which entry is wrong.
struct OneOrMore<T>(PhantomData<T>);

type Decisions = OneOrMore<Decided>;
type Subjects = OneOrMore<About>;

impl<T: ToSchema> PartialSchema for OneOrMore<T> {
    fn schema() -> RefOr<Schema> {
        let one = || Ref::from_schema_name(T::name());
        let more = ArrayBuilder::new().items(one()).min_items(Some(1));
        let more = more.max_items(Some(MOST_AT_ONCE)).unique_items(true);
        OneOfBuilder::new().item(one()).item(more).into()
    }
}

impl<T: ToSchema> ToSchema for OneOrMore<T> {
    fn name() -> Cow<'static, str> {
        format!("OneOrMore{}", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
}

/// What the user decided beforehand.
#[derive(Deserialize, ToSchema)]
struct Decided {
    #[serde(flatten)]
    about: About,
    #[schema(pattern = "^(allow_always|deny_always)$")]
    decision: String,
}

/// A site.
#[derive(Deserialize, ToSchema)]
struct Site {
    #[schema(pattern = "^([a-z]{1,20}[.]){1,4}[a-z]{2,20}$")]
    domain: String,
}

/// What a site is to the user.
#[derive(Deserialize, ToSchema)]
struct Listed {
    #[schema(pattern = "^([a-z]{1,20}[.]){1,4}[a-z]{2,20}$")]
    domain: String,
    #[schema(pattern = "^(trusted|blocked)$")]
    trust: String,
}

/// A policy.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ToldPolicy {
    tool_pattern: String,
    origin_pattern: String,
    /// `allow_always` or `deny_always`.
    decision: &'static str,
    /// As RFC 3339 writes it.
    updated_at: String,
}

/// All policies.
#[derive(Serialize, ToSchema)]
struct Policies {
    items: Vec<ToldPolicy>,
}

/// Policies that hold now.
#[derive(Serialize, ToSchema)]
struct PutPolicies {
    ok: bool,
    items: Vec<ToldPolicy>,
}

/// How many policies are gone.
#[derive(Serialize, ToSchema)]
struct RemovedPolicies {
    ok: bool,
    removed: usize,
}

/// A site that is trusted or blocked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ToldSite {
    domain: String,
    /// `trusted` or `blocked`.
    trust: &'static str,
    /// `user`, or `config` for one of `config.toml`.
    source: &'static str,
    /// As RFC 3339 writes it; of the user's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    updated_at: Option<String>,
}

/// All sites that are listed.
#[derive(Serialize, ToSchema)]
struct Sites {
    items: Vec<ToldSite>,
}

/// A site that is listed now.
#[derive(Serialize, ToSchema)]
struct PutSite {
    ok: bool,
    domain: String,
    trust: String,
}

/// A site that is listed no more.
#[derive(Serialize, ToSchema)]
struct RemovedSite {
    ok: bool,
    domain: String,
    removed: usize,
}

/// Every act there is, for the description.
fn act_pattern() -> Object {
    let keys: Vec<String> = PermissionKey::ALL.iter().map(ToString::to_string).collect();
    let families = keys.iter().filter_map(|key| key.split_once(':'));
    let mut words: Vec<String> = families.map(|(family, _)| format!("{family}:[*]")).collect();
    words.dedup();
    words.extend(keys.iter().cloned());
    let pattern = format!("^([*]|ext:([*]|[A-Za-z0-9_.-]+)|{})$", words.join("|"));
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).build()
}

/// Lists what the user decided beforehand.
#[utoipa::path(
    get,
    path = PERMISSIONS,
    operation_id = "list_policies",
    tag = "decisions",
    responses(
        (status = 200, description = "All there are.", body = Policies),
    )
)]
async fn policies(State(rules): State<Arc<Rules>>) -> Answer<Policies> {
    let policies = rules.memory.policies().await.map_err(NotChanged::Memory)?;
    Ok(Json(Policies { items: policies.iter().map(item).collect() }))
}

/// Decides beforehand; what loosens anything, the user is asked for.
#[utoipa::path(
    put,
    path = PERMISSIONS,
    operation_id = "put_policies",
    tag = "decisions",
    request_body = Decisions,
    responses(
        (status = 200, description = "They hold now.", body = PutPolicies),
        (status = 409, description = "The user would have to confirm it, and no browser is linked.", body = Problem),
    )
)]
async fn put_policies(
    State(rules): State<Arc<Rules>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Answer<PutPolicies> {
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
    let items: Vec<ToldPolicy> = put.collect();
    rules.change(&Author::of(&sender), changes).await?;
    Ok(Json(PutPolicies { ok: true, items }))
}

/// Takes decisions back; what loosens anything, the user is asked for.
#[utoipa::path(
    delete,
    path = PERMISSIONS,
    operation_id = "remove_policies",
    tag = "decisions",
    request_body = Subjects,
    responses(
        (status = 200, description = "They are gone.", body = RemovedPolicies),
        (status = 409, description = "The user would have to confirm it, and no browser is linked.", body = Problem),
    )
)]
async fn remove_policies(
    State(rules): State<Arc<Rules>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Answer<RemovedPolicies> {
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
    Ok(Json(RemovedPolicies { ok: true, removed }))
}

/// Lists sites that are trusted or blocked.
#[utoipa::path(
    get,
    path = TRUST,
    operation_id = "list_sites",
    tag = "decisions",
    responses(
        (status = 200, description = "All that are listed.", body = Sites),
    )
)]
async fn trust(State(rules): State<Arc<Rules>>) -> Answer<Sites> {
    let (stored, set) = rules.memory.listed().await.map_err(NotChanged::Memory)?;
    let stored = stored.into_iter().map(|listed| {
        let (trust, at) = (listed.standing.as_str(), time(listed.updated_at));
        ToldSite { domain: listed.domain, trust, source: "user", updated_at: Some(at) }
    });
    let set_as = |trust: &'static str, domains: &[String]| -> Vec<ToldSite> {
        let told = |domain| ToldSite { domain, trust, source: "config", updated_at: None };
        domains.iter().cloned().map(told).collect()
    };
    let (trusted, blocked) = (set_as("trusted", &set.trusted), set_as("blocked", &set.blocked));
    Ok(Json(Sites { items: stored.chain(trusted).chain(blocked).collect() }))
}

/// Lists a site; trusting one, the user is asked for.
#[utoipa::path(
    put,
    path = TRUST,
    operation_id = "put_site",
    tag = "decisions",
    request_body = Listed,
    responses(
        (status = 200, description = "It is listed.", body = PutSite),
        (status = 409, description = "The user would have to confirm it, and no browser is linked.", body = Problem),
    )
)]
async fn put_trust(
    State(rules): State<Arc<Rules>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Answer<PutSite> {
    let Listed { domain, trust } = one(parsed(&body)?)?;
    let domain = site(domain)?;
    let wanted = match trust.as_str() {
        "trusted" => Trust::Trusted,
        "blocked" => Trust::Blocked,
        _ => return Err(Failure::Trust(trust)),
    };
    rules.change_trust(&Author::of(&sender), &domain, wanted).await?;
    Ok(Json(PutSite { ok: true, domain, trust }))
}

/// Takes a site off the list; a blocked one, the user is asked for.
#[utoipa::path(
    delete,
    path = TRUST,
    operation_id = "remove_site",
    tag = "decisions",
    request_body = Site,
    responses(
        (status = 200, description = "It is not listed.", body = RemovedSite),
        (status = 409, description = "The user would have to confirm it, and no browser is linked.", body = Problem),
    )
)]
async fn remove_trust(
    State(rules): State<Arc<Rules>>,
    Extension(sender): Extension<Sender>,
    body: Bytes,
) -> Answer<RemovedSite> {
    let Site { domain } = one(parsed(&body)?)?;
    let domain = site(domain)?;
    let (stored, _) = rules.memory.listed().await.map_err(NotChanged::Memory)?;
    let removed = stored.iter().filter(|listed| listed.domain == domain).count();
    rules.change_trust(&Author::of(&sender), &domain, Trust::Unknown).await?;
    Ok(Json(RemovedSite { ok: true, domain, removed }))
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

fn item(policy: &Policy) -> ToldPolicy {
    let decision = if policy.allows { Decision::AllowAlways } else { Decision::DenyAlways };
    ToldPolicy {
        tool_pattern: policy.tools.to_string(),
        origin_pattern: policy.origins.to_string(),
        decision: decision.as_str(),
        updated_at: time(policy.updated_at),
    }
}

fn time(ms: i64) -> String {
    let since = Duration::from_millis(u64::try_from(ms).unwrap_or_default());
    humantime::format_rfc3339_millis(UNIX_EPOCH + since).to_string()
}
