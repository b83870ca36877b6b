//! What whoever isn't let in is told: a status, what is wrong, and what to try.
//! Who that is, `gate.rs` decides.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};

use crate::problem::Problem;

/// Why a request goes no further.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    Host,
    Origin,
    SecretInAddress,
    Token,
    TooManyTokens,
    /// The credential, or all of them, have as many answers that go on as they may.
    TooManyStreams,
    /// The same of connections, and of moments too.
    TooManyConnections,
    /// A link on a connection that something else was asked on before.
    UsedConnection,
    /// An extension's access token where it has no business.
    ExtensionToken,
    /// Nobody can say whether a token is good.
    NoMemory,
    MediaType,
    TooLarge,
    TooSlow,
}

impl Refusal {
    fn status(&self) -> StatusCode {
        match self {
            Refusal::Host | Refusal::Origin | Refusal::ExtensionToken => StatusCode::FORBIDDEN,
            Refusal::SecretInAddress | Refusal::UsedConnection => StatusCode::BAD_REQUEST,
            Refusal::Token => StatusCode::UNAUTHORIZED,
            Refusal::TooManyTokens | Refusal::TooManyStreams => StatusCode::TOO_MANY_REQUESTS,
            Refusal::TooManyConnections | Refusal::NoMemory => StatusCode::SERVICE_UNAVAILABLE,
            Refusal::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refusal::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::TooSlow => StatusCode::REQUEST_TIMEOUT,
        }
    }

    /// Stable, for programs.
    fn code(&self) -> &'static str {
        match self {
            Refusal::Host => "bad_host",
            Refusal::Origin => "bad_origin",
            Refusal::SecretInAddress => "token_in_address",
            Refusal::Token => "invalid_token",
            Refusal::TooManyTokens => "too_many_tokens",
            Refusal::TooManyStreams => "too_many_streams",
            Refusal::TooManyConnections => "too_many_connections",
            Refusal::UsedConnection => "used_connection",
            Refusal::ExtensionToken => "out_of_scope",
            Refusal::NoMemory => "store_unreadable",
            Refusal::MediaType => "not_json",
            Refusal::TooLarge => "too_large",
            Refusal::TooSlow => "too_slow",
        }
    }

    /// As everything under these is told.
    pub(crate) fn into_response_for(self, path: &str) -> Response {
        let is_of_the_api = ["/api/", "/auth/"].iter().any(|prefix| path.starts_with(prefix));
        let status = self.status();
        if is_of_the_api {
            let problem = Problem::new(self.code(), self.sentence().trim_end());
            self.with_headers((status, Json(problem)).into_response())
        } else {
            let sentence = self.sentence();
            self.with_headers((status, sentence).into_response())
        }
    }

    fn sentence(&self) -> &'static str {
        match self {
            Refusal::Host => "This is not a name of Outrigger's hub. Use 127.0.0.1 and its port.\n",
            Refusal::Origin => {
                "This origin may not talk to Outrigger's hub. An extension of your own is let in \
                 with `outrigger pair --origin chrome-extension://<id>`.\n"
            }
            Refusal::SecretInAddress => {
                "A token was sent in the address. Send it in the Authorization header.\n"
            }
            Refusal::Token => {
                "The bearer token is missing, wrong or no longer good. `outrigger setup --print` \
                 shows the one of this machine; `outrigger token new` makes others.\n"
            }
            Refusal::TooManyTokens => {
                "Too many wrong tokens were sent. `outrigger setup --print` shows the right one.\n"
            }
            Refusal::TooManyStreams => {
                "As many answers are open as this token, or all together, may have. Read or close \
                 some of them first.\n"
            }
            Refusal::TooManyConnections => {
                "As many connections are open as this token, or all together, may have. Close \
                 some of them, or ask again on one.\n"
            }
            Refusal::UsedConnection => {
                "A link begins on a connection of its own. Open another one for it.\n"
            }
            Refusal::ExtensionToken => {
                "An extension's token is for its link, its login and, of Outrigger's own, for what \
                 the user decided. Make one for a program with `outrigger token new`.\n"
            }
            Refusal::NoMemory => {
                "The store can't be read, so no token can be checked. `outrigger doctor` looks \
                 into it.\n"
            }
            Refusal::MediaType => "The body must be JSON. Send it as application/json.\n",
            Refusal::TooLarge => "The body is too large or was cut short. Send less at once.\n",
            Refusal::TooSlow => "The body did not come in time. Send it again.\n",
        }
    }
}

impl Refusal {
    fn with_headers(self, mut response: Response) -> Response {
        let headers = response.headers_mut();
        match self {
            Refusal::Token => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Refusal::TooManyTokens | Refusal::TooManyStreams => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("60"));
            }
            Refusal::TooManyConnections | Refusal::UsedConnection => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}
