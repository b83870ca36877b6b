//! Searching in memory and on disk at once: first all of the one, then all of the
//! other, as if it were one list.

use std::fmt;
use std::str::FromStr;

use outrigger_protocol::records::{Record, Selector};
use outrigger_store::Owner;
use outrigger_store::records::{Query, limits};

use crate::error::RecordsError;
use crate::position::Source;
use crate::service::Records;

/// What is searched for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Search {
    /// Which records; one that says nothing means all.
    pub selector: Selector,
    /// Made by whom.
    pub made_by: Option<String>,
    /// From where on: [`Found::next`] of the page before.
    pub from: Option<FoundFrom>,
    /// The most records of a page.
    pub limit: Option<u32>,
}

/// A page of what was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Volatile ones first; of each kind the one that changed last first.
    pub records: Vec<Record>,
    /// Where the next page begins; none after the last one. A page can be short, or
    /// empty, and there is more.
    pub next: Option<FoundFrom>,
}

/// Where a page begins. To clients it is a word that they give back as it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundFrom {
    is_durable: bool,
    before: Option<u64>,
}

impl fmt::Display for FoundFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_durable { "d" } else { "v" })?;
        self.before.map_or(Ok(()), |before| write!(f, "{before}"))
    }
}

impl FromStr for FoundFrom {
    type Err = RecordsError;

    fn from_str(text: &str) -> Result<Self, RecordsError> {
        let is_durable = text.starts_with('d');
        let rest = text.strip_prefix(['d', 'v']).ok_or(RecordsError::BadPosition)?;
        let is_number = rest.bytes().all(|byte| byte.is_ascii_digit());
        let before = match rest {
            "" => None,
            _ if is_number => Some(rest.parse().map_err(|_| RecordsError::BadPosition)?),
            _ => return Err(RecordsError::BadPosition),
        };
        Ok(FoundFrom { is_durable, before })
    }
}

impl Records {
    /// The records that fit, a page at a time.
    pub async fn search(&self, owner: &Owner, search: &Search) -> Result<Found, RecordsError> {
        let mut query = Query {
            selector: search.selector.clone(),
            made_by: search.made_by.clone(),
            before: search.from.and_then(|from| from.before),
            limit: Some(search.limit.unwrap_or(limits::PAGE).clamp(1, limits::PAGE)),
        };
        let is_volatile = |name: &String| self.shared.settings.volatile_schemas.contains(name);
        let named = search.selector.schema_name.as_ref().map(is_volatile);
        let mut found = Found::default();
        let begins_durable = search.from.is_some_and(|from| from.is_durable);
        if named != Some(false) && !begins_durable {
            let page = self
                .shared
                .read_within(self.shared.store(Source::Volatile).search(owner, &query))
                .await?;
            found.records = page.records;
            if let Some(before) = page.next {
                found.next = Some(FoundFrom { is_durable: false, before: Some(before) });
                return Ok(found);
            }
            query.before = None;
        }
        if named == Some(true) {
            return Ok(found);
        }
        let left = query.limit.unwrap_or(limits::PAGE) as usize - found.records.len();
        if left == 0 {
            found.next = Some(FoundFrom { is_durable: true, before: None });
            return Ok(found);
        }
        query.limit = u32::try_from(left).ok();
        let page = self
            .shared
            .read_within(self.shared.store(Source::Durable).search(owner, &query))
            .await?;
        found.records.extend(page.records);
        found.next = page.next.map(|before| FoundFrom { is_durable: true, before: Some(before) });
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_page_is_read_as_it_was_written_and_nothing_else_is_one() {
        for (is_durable, before) in [(true, None), (false, Some(0)), (true, Some(u64::MAX))] {
            let from = FoundFrom { is_durable, before };
            assert_eq!(from.to_string().parse::<FoundFrom>().unwrap(), from);
        }
        for text in ["", "x", "7", "d-1", "v1x", "d99999999999999999999"] {
            assert!(text.parse::<FoundFrom>().is_err(), "{text}");
        }
    }
}
