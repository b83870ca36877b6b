//! The activity log: who, what, where, how it ended, how long, how much. Never
//! content. It is only appended to; its oldest entries can be pruned. One chain of
//! hashes goes through all of it, whoever owns the entries. Tables `activity_log`
//! and `activity_anchor`.

use futures_util::TryStreamExt as _;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row as _, SqliteConnection};

pub use crate::chain::{Break, Verdict};
use crate::chain::{Place, Row, Walk};
use crate::error::StoreError;
use crate::owner::Owner;
use crate::store::Store;

const TABLE: &str = "activity_log";

/// The most bytes of a text in an entry; the rest is cut off. A name that is too long
/// must not keep its call out of the log.
pub const TEXT_LIMIT: usize = 256;

/// What is put where a text was cut.
const CUT: &str = "…";

/// What stands for the tool in an entry about others that could not be written.
const LOST: &str = "(lost)";

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActivityEntry {
    /// When it ended, in milliseconds since the epoch.
    pub at_ms: i64,
    /// Which program made it.
    pub client: String,
    /// In which agent session.
    pub session: String,
    /// Which tool.
    pub tool: String,
    /// The permission it needed, if it came that far.
    pub key: Option<String>,
    /// Where, if it came that far.
    pub origin: Option<String>,
    /// What was decided about it, if anything was.
    pub decision: Option<String>,
    /// `ok`, or the code of what went wrong.
    pub outcome: String,
    /// How long it took.
    pub duration_ms: u64,
    /// How many characters of a page it read or wrote.
    pub characters: u64,
    /// How many tabs it concerned.
    pub tabs: u64,
    /// How large the answer was.
    pub bytes: u64,
}

impl ActivityEntry {
    /// Stands where so many entries are missing.
    pub fn lost(count: u64, at_ms: i64) -> Self {
        let entries = if count == 1 { "entry" } else { "entries" };
        ActivityEntry {
            at_ms,
            client: "outrigger".to_owned(),
            session: "outrigger:log".to_owned(),
            tool: LOST.to_owned(),
            key: None,
            origin: None,
            decision: None,
            outcome: format!("{count} {entries} lost"),
            duration_ms: 0,
            characters: 0,
            tabs: 0,
            bytes: 0,
        }
    }
}

/// An entry and its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedEntry {
    /// Counts all entries of the store, so that an owner's have gaps.
    pub seq: i64,
    /// What is logged.
    pub entry: ActivityEntry,
}

impl Store {
    /// Appends entries, all or none.
    pub async fn append(&self, owner: &Owner, entries: &[ActivityEntry]) -> Result<(), StoreError> {
        let Some(latest) = entries.iter().map(|entry| entry.at_ms).max() else { return Ok(()) };
        let mut writing = self.write().await?;
        self.keep_time(&mut writing, latest).await?;
        let mut last = self.anchor(&mut writing, "head").await?;
        for entry in entries {
            let entry = bounded(entry);
            let place = last.next(owner, &entry);
            insert(&mut writing, owner, &entry, &last, &place).await.map_err(self.fails())?;
            last = place;
        }
        self.move_anchor(&mut writing, "head", &last).await?;
        writing.commit().await.map_err(self.fails())
    }

    /// Entries of an owner after that number, oldest first.
    pub async fn activity(
        &self,
        owner: &Owner,
        after_seq: i64,
        limit: u32,
    ) -> Result<Vec<LoggedEntry>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM activity_log WHERE user_id = $1 AND workspace_id = $2 AND seq > $3 \
             ORDER BY seq LIMIT $4",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(after_seq)
        .bind(i64::from(limit))
        .fetch_all(self.readers())
        .await
        .map_err(self.fails())?;
        let read = rows.iter().map(|row| row_of(row).map_err(self.misreads(TABLE)));
        read.map(|row| row.map(|row| LoggedEntry { seq: row.seq, entry: row.entry })).collect()
    }

    /// The newest entries of an owner, or of one session or client of theirs, oldest
    /// first.
    pub async fn latest_activity(
        &self,
        owner: &Owner,
        of: Option<&str>,
        limit: u32,
    ) -> Result<Vec<LoggedEntry>, StoreError> {
        let rows = sqlx::query(
            "SELECT * FROM activity_log WHERE user_id = $1 AND workspace_id = $2 \
             AND ($3 IS NULL OR session = $3 OR client = $3) ORDER BY seq DESC LIMIT $4",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(of)
        .bind(i64::from(limit))
        .fetch_all(self.readers())
        .await
        .map_err(self.fails())?;
        let read = rows.iter().rev().map(|row| row_of(row).map_err(self.misreads(TABLE)));
        read.map(|row| row.map(|row| LoggedEntry { seq: row.seq, entry: row.entry })).collect()
    }

    /// The number of an owner's newest entry.
    pub async fn newest_activity(&self, owner: &Owner) -> Result<Option<i64>, StoreError> {
        sqlx::query_scalar(
            "SELECT max(seq) FROM activity_log WHERE user_id = $1 AND workspace_id = $2",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .fetch_one(self.readers())
        .await
        .map_err(self.fails())
    }

    /// Removes the oldest entries, up to the first one that isn't older than that.
    /// The chain goes on from there. Says how many were removed.
    pub async fn prune_activity_before(&self, at_ms: i64) -> Result<u64, StoreError> {
        let mut writing = self.write().await?;
        let start = self.anchor(&mut writing, "start").await?;
        let head = self.anchor(&mut writing, "head").await?;
        let first_kept: Option<i64> = sqlx::query_scalar(
            "SELECT seq FROM activity_log WHERE at_ms >= $1 ORDER BY seq LIMIT 1",
        )
        .bind(at_ms)
        .fetch_optional(&mut *writing)
        .await
        .map_err(self.fails())?;
        let seq = first_kept.map_or(head.seq, |kept| kept.saturating_sub(1));
        if seq <= start.seq {
            return Ok(0);
        }
        let hash: Option<Vec<u8>> =
            sqlx::query_scalar("SELECT hash FROM activity_log WHERE seq = $1")
                .bind(seq)
                .fetch_optional(&mut *writing)
                .await
                .map_err(self.fails())?;
        let hash = hash.and_then(|hash| hash.try_into().ok());
        let hash = hash.ok_or_else(|| self.bad_row(TABLE, &format!("no hash of {seq}")))?;
        self.move_anchor(&mut writing, "start", &Place { seq, hash }).await?;
        let removed = sqlx::query("DELETE FROM activity_log WHERE seq <= $1")
            .bind(seq)
            .execute(&mut *writing)
            .await
            .map_err(self.fails())?;
        writing.commit().await.map_err(self.fails())?;
        Ok(removed.rows_affected())
    }

    /// Whether the log is the one that was written.
    pub async fn verify_activity(&self) -> Result<Verdict, StoreError> {
        let mut reading = self.readers().begin().await.map_err(self.fails())?;
        let start = find_anchor(&mut reading, "start").await.map_err(self.fails())?;
        let head = find_anchor(&mut reading, "head").await.map_err(self.fails())?;
        let (Some(start), Some(head)) = (start, head) else {
            return Ok(Verdict::Broken { seq: 0, why: Break::NoAnchor });
        };
        let mut walk = Walk::new(start, head);
        let mut rows = sqlx::query("SELECT * FROM activity_log ORDER BY seq").fetch(&mut *reading);
        while let Some(row) = rows.try_next().await.map_err(self.fails())? {
            let row = row_of(&row).map_err(self.misreads(TABLE))?;
            if let Err(broken) = walk.step(&row) {
                return Ok(broken);
            }
        }
        Ok(walk.end())
    }

    /// How many entries could not be written, as far as the log goes back.
    pub async fn lost_activity(&self) -> Result<u64, StoreError> {
        let told: Vec<String> =
            sqlx::query_scalar("SELECT outcome FROM activity_log WHERE tool = $1")
                .bind(LOST)
                .fetch_all(self.readers())
                .await
                .map_err(self.fails())?;
        let counts = told.iter().map(|told| told.split(' ').next()?.parse::<u64>().ok());
        let count = counts.sum::<Option<u64>>();
        count.ok_or_else(|| self.bad_row(TABLE, "it doesn't say how many entries are lost"))
    }

    async fn anchor(
        &self,
        connection: &mut SqliteConnection,
        place: &'static str,
    ) -> Result<Place, StoreError> {
        let found = find_anchor(connection, place).await.map_err(self.fails())?;
        found.ok_or_else(|| self.bad_row("activity_anchor", &format!("there is no {place}")))
    }

    async fn move_anchor(
        &self,
        connection: &mut SqliteConnection,
        place: &'static str,
        to: &Place,
    ) -> Result<(), StoreError> {
        sqlx::query("UPDATE activity_anchor SET seq = $2, hash = $3 WHERE place = $1")
            .bind(place)
            .bind(to.seq)
            .bind(to.hash.to_vec())
            .execute(connection)
            .await
            .map_err(self.fails())?;
        Ok(())
    }
}

async fn find_anchor(
    connection: &mut SqliteConnection,
    place: &'static str,
) -> sqlx::Result<Option<Place>> {
    let row: Option<(i64, Vec<u8>)> =
        sqlx::query_as("SELECT seq, hash FROM activity_anchor WHERE place = $1")
            .bind(place)
            .fetch_optional(connection)
            .await?;
    Ok(row.and_then(|(seq, hash)| Some(Place { seq, hash: hash.try_into().ok()? })))
}

async fn insert(
    connection: &mut SqliteConnection,
    owner: &Owner,
    entry: &ActivityEntry,
    last: &Place,
    place: &Place,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO activity_log (seq, user_id, workspace_id, at_ms, client, session, tool, \
         permission_key, origin, decision, outcome, duration_ms, characters, tabs, bytes, \
         prev_hash, hash) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
    )
    .bind(place.seq)
    .bind(&owner.user)
    .bind(&owner.workspace)
    .bind(entry.at_ms)
    .bind(&entry.client)
    .bind(&entry.session)
    .bind(&entry.tool)
    .bind(&entry.key)
    .bind(&entry.origin)
    .bind(&entry.decision)
    .bind(&entry.outcome)
    .bind(entry.duration_ms.cast_signed())
    .bind(entry.characters.cast_signed())
    .bind(entry.tabs.cast_signed())
    .bind(entry.bytes.cast_signed())
    .bind(last.hash.to_vec())
    .bind(place.hash.to_vec())
    .execute(connection)
    .await?;
    Ok(())
}

fn row_of(row: &SqliteRow) -> sqlx::Result<Row> {
    let number = |column| row.try_get::<i64, _>(column).map(i64::cast_unsigned);
    Ok(Row {
        seq: row.try_get("seq")?,
        owner: Owner { user: row.try_get("user_id")?, workspace: row.try_get("workspace_id")? },
        entry: ActivityEntry {
            at_ms: row.try_get("at_ms")?,
            client: row.try_get("client")?,
            session: row.try_get("session")?,
            tool: row.try_get("tool")?,
            key: row.try_get("permission_key")?,
            origin: row.try_get("origin")?,
            decision: row.try_get("decision")?,
            outcome: row.try_get("outcome")?,
            duration_ms: number("duration_ms")?,
            characters: number("characters")?,
            tabs: number("tabs")?,
            bytes: number("bytes")?,
        },
        previous: row.try_get("prev_hash")?,
        hash: row.try_get("hash")?,
    })
}

/// The entry with its texts cut to the limit, and its numbers to what SQL can hold.
fn bounded(entry: &ActivityEntry) -> ActivityEntry {
    let maybe = |text: &Option<String>| text.as_deref().map(cut);
    let number = |number: u64| number.min(i64::MAX.cast_unsigned());
    ActivityEntry {
        at_ms: entry.at_ms,
        client: cut(&entry.client),
        session: cut(&entry.session),
        tool: cut(&entry.tool),
        key: maybe(&entry.key),
        origin: maybe(&entry.origin),
        decision: maybe(&entry.decision),
        outcome: cut(&entry.outcome),
        duration_ms: number(entry.duration_ms),
        characters: number(entry.characters),
        tabs: number(entry.tabs),
        bytes: number(entry.bytes),
    }
}

fn cut(text: &str) -> String {
    if text.len() <= TEXT_LIMIT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(TEXT_LIMIT - CUT.len());
    format!("{}{CUT}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        for text in ["", "short", &"x".repeat(TEXT_LIMIT)] {
            assert_eq!(cut(text), text);
        }
        for letter in ["x", "ü", "€", "🦀"] {
            let cut = cut(&letter.repeat(TEXT_LIMIT + 1));
            assert!(cut.len() <= TEXT_LIMIT && cut.len() > TEXT_LIMIT - 8, "{letter}");
            assert!(cut.ends_with(CUT));
        }
    }
}
