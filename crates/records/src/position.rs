//! Where a subscriber is among the events. Records on disk and in memory are in two
//! stores, so that it is two places; to clients it is one word, and they give it back
//! as it came.

use std::fmt;
use std::str::FromStr;

use outrigger_store::records::Place;

use crate::error::RecordsError;

/// After the last event that a subscriber has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// Among the events of durable records.
    pub durable: Place,
    /// Among those of volatile ones.
    pub volatile: Place,
}

impl Position {
    /// The same for this process. The volatile records of another one are gone, and all
    /// that happened to those of this one is news.
    pub(crate) fn in_this_life(mut self, reached: &Position) -> Self {
        if self.volatile.life != reached.volatile.life {
            self.volatile = Place { life: reached.volatile.life.clone(), seq: 0 };
        }
        self
    }

    pub(crate) fn of(&self, source: Source) -> &Place {
        match source {
            Source::Durable => &self.durable,
            Source::Volatile => &self.volatile,
        }
    }

    pub(crate) fn of_mut(&mut self, source: Source) -> &mut Place {
        match source {
            Source::Durable => &mut self.durable,
            Source::Volatile => &mut self.volatile,
        }
    }
}

/// Which of the two stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    Durable,
    Volatile,
}

impl Source {
    pub(crate) const BOTH: [Source; 2] = [Source::Volatile, Source::Durable];
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (durable, volatile) = (&self.durable, &self.volatile);
        write!(f, "{}.{}.{}.{}", durable.life, durable.seq, volatile.life, volatile.seq)
    }
}

impl FromStr for Position {
    type Err = RecordsError;

    fn from_str(text: &str) -> Result<Self, RecordsError> {
        let parts: Vec<&str> = text.split('.').collect();
        let [durable_life, durable, volatile_life, volatile] = parts[..] else {
            return Err(RecordsError::BadPosition);
        };
        let place = |life: &str, seq: &str| {
            let is_life = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
            let fits = !life.is_empty() && life.len() <= 64 && life.bytes().all(is_life);
            let seq = seq.bytes().all(|byte| byte.is_ascii_digit()).then(|| seq.parse().ok());
            match (fits, seq.flatten()) {
                (true, Some(seq)) => Ok(Place { life: life.to_owned(), seq }),
                _ => Err(RecordsError::BadPosition),
            }
        };
        Ok(Position {
            durable: place(durable_life, durable)?,
            volatile: place(volatile_life, volatile)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_was_written_and_nothing_else_is_one() {
        let place = |life: &str, seq| Place { life: life.into(), seq };
        let position = Position { durable: place("a-b_1", 7), volatile: place("c", u64::MAX) };
        assert_eq!(position.to_string().parse::<Position>().unwrap(), position);
        for text in ["", "7", "a.1.b", "a.1.b.x", "a.1.b.-1", "a.+1.b.1", ".1.b.1", "a.1.b.1.c"] {
            assert_eq!(text.parse::<Position>().unwrap_err().code(), "events_bad_position");
        }
    }
}
