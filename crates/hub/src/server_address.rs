//! The address of a server that records are kept on or told over. It may hold a
//! password, so that whoever shows it shows no more than where it leads.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use url::Url;

/// An address such as `postgres://user:password@host/database`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ServerAddress(Url);

/// What can be no address. It says nothing of what was given: that may hold a password.
#[derive(Debug, thiserror::Error)]
#[error("it is no address. Write one such as postgres://user@host/database or nats://host:4222")]
pub struct NoAddress;

impl ServerAddress {
    /// All of it, for whoever connects.
    pub fn reveal(&self) -> &str {
        self.0.as_str()
    }
}

impl FromStr for ServerAddress {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let url = Url::parse(text).map_err(|_| NoAddress)?;
        if url.has_host() { Ok(ServerAddress(url)) } else { Err(NoAddress) }
    }
}

impl TryFrom<String> for ServerAddress {
    type Error = NoAddress;

    fn try_from(text: String) -> Result<Self, NoAddress> {
        text.parse()
    }
}

/// Without name and password, and without the options, where some write them too.
impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = self.0.clone();
        // An address with a host can go without them.
        let _ = shown.set_username("");
        let _ = shown.set_password(None);
        shown.set_query(None);
        shown.set_fragment(None);
        write!(f, "{shown}")
    }
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_what_is_secret_in_it() {
        let text = "postgres://me:hush-1@db.example:5433/team?password=hush-2#hush-3";
        let address: ServerAddress = text.parse().unwrap();
        assert_eq!(address.reveal(), text);
        assert_eq!(address.to_string(), "postgres://db.example:5433/team");
        assert!(!format!("{address:?}").contains("hush"));
    }

    #[test]
    fn what_is_no_address_is_not_repeated() {
        for text in ["", "team", "me:hush@host", "postgres://me:hush?x@host/team", "mailto:hush"] {
            let error = text.parse::<ServerAddress>().unwrap_err();
            assert!(!error.to_string().contains("hush"), "{error}");
        }
    }
}
