//! Who may talk to the hub at all, checked on every route before anything
//! else: the `Host` must be ours, an `Origin` ours or a paired extension's, and
//! whoever calls tools shows the bearer token. Compared by parsed parts.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use crate::extension_files::own_origin;
use crate::home::{Home, Token};

/// What the gate compares with.
pub(crate) struct Gate {
    port: u16,
    agent_token: Token,
    home: Home,
}

/// Who sent a request, once it has passed.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    /// The `Origin`, if a browser sent it.
    pub(crate) origin: Option<String>,
}

/// Routes an extension links to; they check their own credential, in the
/// handshake, since a browser's WebSocket can send no header.
const LINK_ROUTES: [&str; 2] = ["/", "/extension"];

impl Gate {
    pub(crate) fn new(port: u16, agent_token: Token, home: Home) -> Self {
        Gate { port, agent_token, home }
    }

    fn is_our_host(&self, headers: &HeaderMap) -> bool {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
        let Ok(host) = host.to_str() else { return false };
        let expected = ["127.0.0.1", "localhost", "[::1]"];
        expected.iter().any(|name| host.eq_ignore_ascii_case(&format!("{name}:{}", self.port)))
    }

    fn is_our_page(&self, origin: &str) -> bool {
        ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|name| origin == format!("http://{name}:{}", self.port))
    }

    fn is_paired_extension(&self, origin: &str) -> bool {
        if origin == own_origin() {
            return true;
        }
        // Read anew each time: `outrigger pair --origin` takes effect at once.
        let named = self.home.paired_origins().unwrap_or_else(|error| {
            tracing::warn!(%error, "no other extension can pair");
            Vec::new()
        });
        named.iter().any(|known| known == origin)
    }

    fn has_token(&self, headers: &HeaderMap) -> bool {
        let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let Some((scheme, token)) = value.and_then(|value| value.split_once(' ')) else {
            return false;
        };
        scheme.eq_ignore_ascii_case("bearer") && self.agent_token.matches(token.trim())
    }

    fn judge(&self, path: &str, headers: &HeaderMap) -> Result<Sender, Refusal> {
        if !self.is_our_host(headers) {
            return Err(Refusal::Host);
        }
        let origin = match headers.get(header::ORIGIN) {
            None => None,
            Some(origin) => Some(origin.to_str().map_err(|_| Refusal::Origin)?.to_owned()),
        };
        let is_link = LINK_ROUTES.contains(&path);
        if let Some(origin) = &origin {
            let passes = self.is_paired_extension(origin) || (!is_link && self.is_our_page(origin));
            if !passes {
                return Err(Refusal::Origin);
            }
        }
        if !is_link && path != "/health" && !self.has_token(headers) {
            return Err(Refusal::Token);
        }
        Ok(Sender { origin })
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Refusal {
    Host,
    Origin,
    Token,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let forbidden = StatusCode::FORBIDDEN;
        match self {
            Refusal::Host => {
                (forbidden, "This is not a name of Outrigger's hub. Use 127.0.0.1 and its port.\n")
                    .into_response()
            }
            Refusal::Origin => (
                forbidden,
                "This origin may not talk to Outrigger's hub. An extension of your own is let in \
                 with `outrigger pair --origin chrome-extension://<id>`.\n",
            )
                .into_response(),
            Refusal::Token => (
                StatusCode::UNAUTHORIZED,
                [(header::WWW_AUTHENTICATE, "Bearer")],
                "The bearer token is missing or wrong. `outrigger setup --print` shows it.\n",
            )
                .into_response(),
        }
    }
}

/// Lets a request through, or says why not.
pub(crate) async fn check(
    State(gate): State<Arc<Gate>>,
    mut request: Request,
    next: Next,
) -> Response {
    let mut response = match gate.judge(request.uri().path(), request.headers()) {
        Ok(sender) => {
            request.extensions_mut().insert(sender);
            next.run(request).await
        }
        Err(refusal) => {
            tracing::warn!(path = request.uri().path(), ?refusal, "refused a request");
            refusal.into_response()
        }
    };
    // No page shows the hub in a frame of its own.
    let headers = response.headers_mut();
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(path: &str, headers: &[(&str, &str)]) -> Result<Sender, Refusal> {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        home.add_paired_origin("chrome-extension://friend").unwrap();
        let (token, _) = home.token(crate::home::TokenKind::Agent).unwrap();
        let gate = Gate::new(9009, token.clone(), home);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let value = value.replace("TOKEN", token.reveal());
            let name: http::HeaderName = name.parse().unwrap();
            map.append(name, value.parse().unwrap());
        }
        gate.judge(path, &map)
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
            "",
        ] {
            assert_eq!(with(other).unwrap_err(), Refusal::Host, "{other}");
        }
        assert_eq!(judge("/health", &[]).unwrap_err(), Refusal::Host);
        let two = [("host", "127.0.0.1:9009"), ("host", "evil.example")];
        assert_eq!(judge("/health", &two).unwrap_err(), Refusal::Host);
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
        assert!(with("/extension", None).is_ok() && with("/health", None).is_ok());
    }
}
