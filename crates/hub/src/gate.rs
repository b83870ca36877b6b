//! Who may talk to the hub at all, checked on every route before anything
//! else: the `Host` must be ours, an `Origin` ours or a paired extension's, and
//! whoever calls tools shows a bearer token, of which few wrong ones are listened to, and
//! has no more connections than its share. What a request says is read in
//! `request_head.rs`; what a token is good for is in `credentials.rs`, how a refusal is
//! worded in `refusal.rs`. Here is also what holds for every request and every answer: a
//! body is JSON, of a bounded size and whole within a bounded time, no page of another site
//! can read, frame or keep what is answered, and an answer ends with the credential.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt as _;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use outrigger_guard::headers::redact_url;

use crate::credentials::{Credential, Credentials, PREFIX};
use crate::doorstep::Stranger;
use crate::home::{Home, TokenKind};
use crate::lockout::Lockout;
use crate::mcp::MOST_BODY_BYTES;
use crate::pairing::may_pair;
use crate::refusal::Refusal;
use crate::refused_extensions::RefusedExtensions;
use crate::request_head::{
    EVENTS, bearer, is_empty, is_for_us, is_json, is_of_another_site, is_our_page, is_upgrade,
    only, plain, takes_events,
};
use crate::shares::Shares;

/// What the gate compares with.
pub(crate) struct Gate {
    port: u16,
    credentials: Arc<Credentials>,
    home: Home,
    refused_extensions: Arc<RefusedExtensions>,
    /// Wrong bearer tokens. The right one counts all the same: it can't be
    /// guessed, and a stranger on this machine shall not shut agents out by
    /// being wrong often.
    lockout: Lockout,
    /// Connections by who asks on them, whether they wait, are answered or go on.
    connections: Arc<Shares>,
    refused: AtomicU64,
}

/// Who sent a request, once it has passed.
#[derive(Clone)]
pub(crate) struct Sender {
    /// The `Origin`, if a browser sent it.
    pub(crate) origin: Option<String>,
    /// What it has shown, where that was needed or is a credential.
    pub(crate) credential: Option<Credential>,
    /// The connection, to be let in once a credential was shown.
    pub(crate) stranger: Option<Arc<Stranger>>,
}

/// Routes an extension links to; they check their own credential, in the
/// handshake, since a browser's WebSocket can send no header.
const LINK_ROUTES: [&str; 2] = ["/", "/extension"];

/// Routes that check a credential of their own: the pairing token, a refresh token.
const LOGIN_ROUTES: [&str; 2] = ["/auth/session/extension-token", "/auth/session/refresh"];

/// A body that takes longer was never meant to end.
const BODY_LIMIT: Duration = Duration::from_secs(10);

/// What a path begins with that the log may name.
const ROUTES: [&str; 7] = ["", "agent", "api", "auth", "extension", "health", "mcp"];

/// Tokens of ours are twice as long.
const SHORTEST_TOKEN: usize = 16;

/// Refusals beyond this are logged now and then: a page could fill the disk.
const LOGGED_REFUSALS: u64 = 100;

/// What every answer carries. Nothing of it is a page, so it may load nothing.
const ANSWER_HEADERS: [(HeaderName, &str); 6] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
];

/// What a request has shown.
#[derive(Debug)]
struct Passed {
    origin: Option<String>,
    credential: Option<Credential>,
    /// It wants to become an extension's link.
    is_link: bool,
}

impl Gate {
    pub(crate) fn new(
        port: u16,
        credentials: Arc<Credentials>,
        home: Home,
        refused_extensions: Arc<RefusedExtensions>,
        places: usize,
    ) -> Self {
        let (lockout, refused) = (Lockout::default(), AtomicU64::new(0));
        let connections = Shares::of(places);
        Gate { port, credentials, home, refused_extensions, lockout, connections, refused }
    }

    fn is_paired_extension(&self, origin: &str) -> bool {
        may_pair(&self.home, origin).unwrap_or_else(|error| {
            tracing::warn!(%error, "no other extension can pair");
            false
        })
    }

    /// An address ends up in histories and logs, so it is no place for a token,
    /// beside a right one in the header either, wherever in it and however it is
    /// written.
    fn has_secret(&self, uri: &Uri) -> bool {
        // By its own parameters' names; in their values anything may look like a name.
        let promises_one = |pair: &str| {
            let name = pair.split('=').next().unwrap_or(pair);
            let address = format!("http://hub/?{name}=x");
            redact_url(&address) != address
        };
        if uri.query().is_some_and(|query| query.split('&').any(promises_one)) {
            return true;
        }
        let plain = plain(&uri.to_string());
        let is_of_a_token = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        let words = || plain.split(|letter| !is_of_a_token(letter));
        if words().any(|word| word.starts_with(PREFIX)) {
            return true;
        }
        // Most addresses have no room for one, and need no look at the files.
        words().any(|word| word.len() >= SHORTEST_TOKEN)
            && [TokenKind::Pairing, TokenKind::Agent]
                .into_iter()
                .filter_map(|kind| self.home.existing_token(kind).ok().flatten())
                .any(|own| own.is_within(&plain))
    }

    /// What the bearer token is good for, where one is needed.
    async fn identify(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        is_needed: bool,
    ) -> Result<Option<Credential>, Refusal> {
        let Some(word) = bearer(headers) else {
            return if is_needed { Err(Refusal::Token) } else { Ok(None) };
        };
        let credential = self.credentials.check(word).await.map_err(|error| {
            tracing::error!(%error, "a token can't be checked");
            Refusal::NoMemory
        })?;
        match credential {
            Some(credential) if !credential.may_reach(method, path) => {
                if is_needed {
                    Err(Refusal::ExtensionToken)
                } else {
                    Ok(None)
                }
            }
            Some(credential) => Ok(Some(credential)),
            None if is_needed => Err(self.refuse_token(word)),
            None => Ok(None),
        }
    }

    async fn judge(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<Passed, Refusal> {
        if !is_for_us(uri, headers, self.port) {
            return Err(Refusal::Host);
        }
        let path = uri.path();
        let is_link = LINK_ROUTES.contains(&path) && is_upgrade(headers);
        let origin = only(headers, &header::ORIGIN).map_err(|_| Refusal::Origin)?;
        let may_pass = match origin {
            Some(origin) => {
                self.is_paired_extension(origin) || (!is_link && is_our_page(origin, self.port))
            }
            None => !is_of_another_site(headers),
        };
        if !may_pass {
            self.refused_extensions.note(origin.unwrap_or_default());
            return Err(Refusal::Origin);
        }
        if self.has_secret(uri) {
            return Err(Refusal::SecretInAddress);
        }
        let is_needed = !is_link && path != "/health" && !LOGIN_ROUTES.contains(&path);
        // A link shows its own in the handshake, and is nobody's connection before.
        let credential =
            if is_link { None } else { self.identify(method, path, headers, is_needed).await? };
        if !method.is_safe() && !is_empty(headers) && !is_json(headers) {
            return Err(Refusal::MediaType);
        }
        Ok(Passed { origin: origin.map(str::to_owned), credential, is_link })
    }

    fn refuse_token(&self, token: &str) -> Refusal {
        let now = Instant::now();
        if self.lockout.is_shut(now) {
            return Refusal::TooManyTokens;
        }
        if self.lockout.note_wrong(token, now) {
            tracing::warn!("too many wrong bearer tokens; none is judged for a minute");
        }
        Refusal::Token
    }

    fn log(&self, path: &str, refusal: &Refusal) {
        let count = self.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if count <= LOGGED_REFUSALS || count.is_multiple_of(1000) {
            // Whatever else is asked for may be anything, a misplaced token too.
            let first = path.split('/').nth(1).unwrap_or_default();
            let path = if ROUTES.contains(&first) { first } else { "(another)" };
            tracing::warn!(path, ?refusal, count, "refused a request");
        }
    }
}

/// Lets a request through, or says why not.
pub(crate) async fn check(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let connection = request.extensions().get::<Arc<Stranger>>().cloned();
    let mut response = match admit(&gate, request).await {
        Ok((request, credential)) => {
            let may_stay = connection.as_ref().is_none_or(|connection| connection.may_stay());
            answer(&gate, request, credential, may_stay, next).await
        }
        Err(refusal) => {
            gate.log(&path, &refusal);
            refusal.into_response_for(&path)
        }
    };
    if let Some(connection) = connection {
        end_or_keep(&connection, &mut response);
    }
    for (name, value) in ANSWER_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Says that the connection ends with this answer where it is nobody's for longer: one that
/// waits for nothing takes a place all the same.
fn end_or_keep(connection: &Stranger, response: &mut Response) {
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        connection.count_no_more();
    } else if !connection.may_stay() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
}

/// The answer, as long as the credential is good: a call is called off with it, and
/// a stream of events ends. (Sockets see to that themselves.) `may_stay`: whether there is
/// a place for one that goes on.
async fn answer(
    gate: &Gate,
    request: Request,
    credential: Option<Credential>,
    may_stay: bool,
    next: Next,
) -> Response {
    let Some(credential) = credential else { return next.run(request).await };
    let path = request.uri().path().to_owned();
    let refused = |refusal: Refusal| {
        gate.log(&path, &refusal);
        refusal.into_response_for(&path)
    };
    // Before anything is done: what was called can't be taken back.
    if takes_events(request.headers()) && !may_stay {
        return refused(Refusal::TooManyStreams);
    }
    let response = tokio::select! {
        response = next.run(request) => response,
        () = credential.ended() => return Refusal::Token.into_response_for(&path),
    };
    let kind = response.headers().get(header::CONTENT_TYPE);
    if kind.is_none_or(|kind| kind != EVENTS) {
        return response;
    }
    // Not everybody says what is taken.
    if !may_stay {
        return refused(Refusal::TooManyStreams);
    }
    let (parts, body) = response.into_parts();
    let ended = async move { credential.ended().await };
    let events = body.into_data_stream().take_until(ended);
    Response::from_parts(parts, Body::from_stream(events))
}

async fn admit(
    gate: &Gate,
    mut request: Request,
) -> Result<(Request, Option<Credential>), Refusal> {
    let (method, uri, headers) = (request.method(), request.uri(), request.headers());
    let Passed { origin, credential, is_link } = gate.judge(method, uri, headers).await?;
    let stranger = request.extensions_mut().remove::<Arc<Stranger>>();
    if let (Some(credential), Some(stranger)) = (&credential, &stranger) {
        if !stranger.count_for(&credential.holder, &gate.connections) {
            return Err(Refusal::TooManyConnections);
        }
        stranger.show(credential);
    }
    // The limits of strangers hold for it until its handshake, and for those only.
    if is_link && stranger.as_ref().is_some_and(|stranger| stranger.is_in()) {
        return Err(Refusal::UsedConnection);
    }
    request.extensions_mut().insert(Sender { origin, credential: credential.clone(), stranger });
    let (parts, body) = request.into_parts();
    let read = axum::body::to_bytes(body, MOST_BODY_BYTES);
    match tokio::time::timeout(BODY_LIMIT, read).await {
        Ok(Ok(body)) => Ok((Request::from_parts(parts, Body::from(body)), credential)),
        Ok(Err(_)) => Err(Refusal::TooLarge),
        Err(_) => Err(Refusal::TooSlow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extension_files::own_origin;
    use crate::memory::Memory;
    use crate::settings::Settings;

    fn judge(path: &str, headers: &[(&str, &str)]) -> Result<Passed, Refusal> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(judge_now(path, headers))
    }

    async fn judge_now(path: &str, headers: &[(&str, &str)]) -> Result<Passed, Refusal> {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        home.add_paired_origin("chrome-extension://friend").unwrap();
        let (token, _) = home.token(TokenKind::Agent).unwrap();
        let settings = Settings::at(home.clone(), 0);
        let (guard, desk) = (Arc::default(), Arc::default());
        let (tasks, end) = (Default::default(), Default::default());
        let memory = Memory::open(&settings, guard, &desk, &tasks, end).await;
        let credentials = Arc::new(Credentials::new(token.clone(), home.clone(), memory));
        let gate = Gate::new(9009, credentials, home, Arc::default(), 64);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let value = value.replace("TOKEN", token.reveal());
            let name: http::HeaderName = name.parse().unwrap();
            map.append(name, value.parse().unwrap());
        }
        let uri = path.replace("TOKEN", token.reveal()).parse().unwrap();
        gate.judge(&Method::GET, &uri, &map).await
    }

    #[test]
    fn only_our_own_names_are_answered() {
        let with = |host| judge("/health", &[("host", host)]);
        for ours in ["127.0.0.1:9009", "localhost:9009", "LOCALHOST:9009", "[::1]:9009"] {
            assert!(with(ours).is_ok(), "{ours}");
        }
        for other in [
            "127.0.0.1",
            "127.0.0.1:80",
            "evil.example:9009",
            "127.0.0.1.evil.example:9009",
            "localhost:9009@evil.example",
            "localhost.:9009",
            "0.0.0.0:9009",
            "",
        ] {
            assert_eq!(with(other).unwrap_err(), Refusal::Host, "{other}");
        }
        assert_eq!(judge("/health", &[]).unwrap_err(), Refusal::Host);
        let two = [("host", "127.0.0.1:9009"), ("host", "evil.example")];
        assert_eq!(judge("/health", &two).unwrap_err(), Refusal::Host);
        for address in ["http://evil.example/health", "http://127.0.0.1:9009/health"] {
            let absolute = judge(address, &[("host", "127.0.0.1:9009")]);
            assert_eq!(absolute.unwrap_err(), Refusal::Host, "{address}");
        }
    }

    #[test]
    fn a_web_page_or_a_strange_extension_gets_nowhere() {
        let own = own_origin();
        let with = |path, origin| {
            judge(
                path,
                &[
                    ("host", "127.0.0.1:9009"),
                    ("origin", origin),
                    ("authorization", "Bearer TOKEN"),
                    ("upgrade", "websocket"),
                ],
            )
        };
        for path in ["/", "/extension", "/mcp", "/agent", "/health"] {
            for bad in [
                "https://evil.example",
                "null",
                "chrome-extension://stranger",
                "http://127.0.0.1:9010",
                "http://127.0.0.1:9009.evil.example",
            ] {
                assert_eq!(with(path, bad).unwrap_err(), Refusal::Origin, "{path} {bad}");
            }
            assert!(with(path, &own).is_ok() && with(path, "chrome-extension://friend").is_ok());
        }
        assert!(with("/mcp", "http://127.0.0.1:9009").is_ok());
        assert_eq!(with("/extension", "http://127.0.0.1:9009").unwrap_err(), Refusal::Origin);
        let two =
            [("host", "127.0.0.1:9009"), ("origin", own.as_str()), ("origin", "https://evil")];
        assert_eq!(judge("/health", &two).unwrap_err(), Refusal::Origin);
    }

    #[test]
    fn what_a_page_loads_without_an_origin_is_known_by_its_site() {
        let with = |site| judge("/health", &[("host", "127.0.0.1:9009"), ("sec-fetch-site", site)]);
        for other in ["cross-site", "same-site", "anything"] {
            assert_eq!(with(other).unwrap_err(), Refusal::Origin, "{other}");
        }
        assert!(with("none").is_ok() && with("same-origin").is_ok());
    }

    #[test]
    fn whoever_calls_tools_shows_the_token() {
        let with = |path, value: Option<&str>| {
            let mut headers = vec![("host", "127.0.0.1:9009")];
            headers.extend(value.map(|value| ("authorization", value)));
            judge(path, &headers)
        };
        for path in ["/mcp", "/agent", "/api/v1/anything", "//extension"] {
            for bad in [
                None,
                Some("Bearer"),
                Some("Bearer wrong"),
                Some("Basic TOKEN"),
                Some("Bearer TOKENx"),
            ] {
                assert_eq!(with(path, bad).unwrap_err(), Refusal::Token, "{path} {bad:?}");
            }
            assert!(with(path, Some("Bearer TOKEN")).is_ok());
        }
        assert!(with("/health", None).is_ok());
        assert_eq!(with("/extension", None).unwrap_err(), Refusal::Token, "no upgrade");
        let upgrade = [("host", "127.0.0.1:9009"), ("upgrade", "websocket")];
        assert!(judge("/extension", &upgrade).is_ok());
        assert_eq!(judge("/agent", &upgrade).unwrap_err(), Refusal::Token);
        let two = [("host", "127.0.0.1:9009"), ("authorization", "Bearer TOKEN")];
        let two = [two[0], two[1], ("authorization", "Bearer x")];
        assert_eq!(judge("/mcp", &two).unwrap_err(), Refusal::Token, "one of two is none");
    }

    #[test]
    fn an_address_is_no_place_for_a_token() {
        let headers = [("host", "127.0.0.1:9009"), ("authorization", "Bearer TOKEN")];
        for address in [
            "/mcp?token=abc",
            "/health?access_token=abc",
            "/mcp?x=TOKEN",
            "/mcp?TOKEN",
            "/mcp?x=otr_abc",
            "/mcp?x=a,TOKEN;b",
            "/mcp?x=Bearer+TOKEN",
            "/mcp?x=Bearer%20TOKEN",
            "/mcp?x=Bearer%2520otr_abc",
            "/mcp?xTOKENx",
            "/TOKEN",
            "/api/v1/records/TOKEN/full",
            "/api/v1/records/%6ftr_access_abc",
            "/api/v1/records/%256ftr_refresh_abc",
        ] {
            let refused = judge(address, &headers).unwrap_err();
            assert_eq!(refused, Refusal::SecretInAddress, "{address}");
        }
        for address in [
            "/mcp?page=2",
            "/api/v1/records?tag=a%26pw%3Db",
            "/api/v1/records/a-long-name-that-is-no-token-at-all?x=%zz%",
        ] {
            assert!(judge(address, &headers).is_ok(), "{address}");
        }
    }
}
