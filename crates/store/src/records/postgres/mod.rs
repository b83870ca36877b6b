//! Records on a PostgreSQL server that many hubs share. The row of `record_head` is
//! what puts events in order: it is locked last, and until the commit. Tables
//! `records`, `record_history`, `record_events` and `record_head`, as in SQLite.

mod rows;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use outrigger_protocol::records::{Record, RecordEvent, RecordId};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{PgConnection, Postgres, SqlSafeStr as _, Transaction};

use self::rows::{LOCKED, SEEN, append, event_of, find, head, keep, put, record_of, signed};
use super::change::{check_version, told, told_gone};
use super::page::Filling;
use super::{
    Answer, Change, NewRecord, Page, Place, Query, RecordError, RecordStore, Retention,
    StoredEvent, Writing, Written, check_place, limits,
};
use crate::owner::Owner;

/// In the order in which they are run; the first one has the number 1.
const MIGRATIONS: [(&str, &str); 1] =
    [("records", include_str!("../../../postgres_migrations/0001_records.sql"))];
/// Connections of one hub.
const CONNECTIONS: u32 = 8;
/// How long the server may work on one statement, or wait for a hub in the middle of
/// a transaction: one that hangs must not hold up the others.
const PATIENCE: Duration = Duration::from_secs(10);
/// Records that are read at once for a page.
const BATCH: i64 = 32;

/// Records on a server. A clone has the same connections.
#[derive(Debug, Clone)]
pub struct PostgresRecords {
    pool: PgPool,
    /// For people: without name and password.
    server: String,
    retention: Retention,
    /// Whether its tables are known to be there.
    is_ready: Arc<AtomicBool>,
}

impl PostgresRecords {
    /// Connects to a database, and makes its tables if there are none. Whatever needs
    /// a connection waits that long for one, then and later.
    pub async fn connect(
        url: &str,
        patience: Duration,
        retention: Retention,
    ) -> Result<Self, RecordError> {
        let records = PostgresRecords::start(url, patience, retention)?;
        records.ready().await?;
        Ok(records)
    }

    /// The same, but the database need not be there yet: tables are made with the first
    /// thing that is asked of it.
    pub fn start(url: &str, patience: Duration, retention: Retention) -> Result<Self, RecordError> {
        let unreadable = |_| RecordError::Unreachable {
            server: "of DATABASE_URL".into(),
            detail: "its address is none, such as postgres://user@host/database".into(),
        };
        let limit = PATIENCE.as_millis().to_string();
        let options: PgConnectOptions = url.parse().map_err(unreadable)?;
        let options = options.application_name("outrigger").options([
            ("statement_timeout", limit.as_str()),
            ("idle_in_transaction_session_timeout", limit.as_str()),
        ]);
        let database = options.get_database().unwrap_or_default();
        let server = format!("{}:{}/{database}", options.get_host(), options.get_port());
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(patience);
        let (pool, is_ready) = (pool.connect_lazy_with(options), Arc::default());
        Ok(PostgresRecords { pool, server, retention, is_ready })
    }

    /// The connections, once its tables are there. Nobody waits for anybody else who
    /// finds that out: of a server that is gone, all would wait in a row.
    async fn ready(&self) -> Result<&PgPool, RecordError> {
        if self.is_ready.load(Ordering::Acquire) {
            return Ok(&self.pool);
        }
        let numbered = (1..).zip(MIGRATIONS);
        let migrations = numbered.map(|(version, (name, sql))| {
            Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
        });
        let migrated = Migrator::with_migrations(migrations.collect()).run(&self.pool).await;
        migrated.map_err(|error| self.of_migration(error))?;
        self.is_ready.store(true, Ordering::Release);
        Ok(&self.pool)
    }

    /// Ends all connections.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    async fn create_one(
        &self,
        owner: &Owner,
        new: NewRecord,
        writing: Writing,
    ) -> Result<Written, RecordError> {
        let record = new.into_record(writing.at_ms)?;
        let mut transaction = self.begin().await?;
        // With its number first: of two that make the same record, one waits here.
        let event = told(&record, self.next_seq(&mut transaction).await?, false);
        if find(&mut transaction, owner, &record.id, SEEN).await.map_err(self.fails())?.is_some() {
            return Err(RecordError::AlreadyThere { id: record.id });
        }
        put(&mut transaction, owner, &record, event.seq).await.map_err(self.fails())?;
        append(&mut transaction, owner, &event).await.map_err(self.fails())?;
        self.commit(transaction).await?;
        Ok(Written { record, event })
    }

    async fn change_one(
        &self,
        owner: &Owner,
        id: &RecordId,
        version: u64,
        change: Change,
        writing: Writing,
    ) -> Result<Written, RecordError> {
        let mut transaction = self.begin().await?;
        let before = self.at_version(&mut transaction, owner, id, version).await?;
        let record = change.apply(&before, writing.at_ms)?;
        let event = told(&record, self.next_seq(&mut transaction).await?, false);
        if writing.keeps_history {
            keep(&mut transaction, owner, &before).await.map_err(self.fails())?;
        }
        put(&mut transaction, owner, &record, event.seq).await.map_err(self.fails())?;
        append(&mut transaction, owner, &event).await.map_err(self.fails())?;
        self.commit(transaction).await?;
        Ok(Written { record, event })
    }

    async fn delete_one(
        &self,
        owner: &Owner,
        id: &RecordId,
        version: u64,
        writing: Writing,
    ) -> Result<RecordEvent, RecordError> {
        let mut transaction = self.begin().await?;
        let record = self.at_version(&mut transaction, owner, id, version).await?;
        let seq = self.next_seq(&mut transaction).await?;
        let event = told_gone(&record, writing.at_ms, seq, false);
        sqlx::query("DELETE FROM records WHERE user_id = $1 AND workspace_id = $2 AND id = $3")
            .bind(&owner.user)
            .bind(&owner.workspace)
            .bind(id.as_str())
            .execute(&mut *transaction)
            .await
            .map_err(self.fails())?;
        append(&mut transaction, owner, &event).await.map_err(self.fails())?;
        self.commit(transaction).await?;
        Ok(event)
    }

    async fn search_all(&self, owner: &Owner, query: &Query) -> Result<Page, RecordError> {
        limits::check_query(query)?;
        let tags = |tags: &[String]| (!tags.is_empty()).then(|| tags.to_vec());
        let (mut page, pool) = (Filling::new(query), self.ready().await?);
        loop {
            let rows = sqlx::query(
                "SELECT * FROM records WHERE user_id = $1 AND workspace_id = $2 AND seq < $3 \
                 AND ($4::text IS NULL OR schema_name = $4) \
                 AND ($5::text IS NULL OR made_by = $5) \
                 AND ($6::text[] IS NULL OR tags && $6) \
                 AND ($7::text[] IS NULL OR tags @> $7) \
                 ORDER BY seq DESC LIMIT $8",
            )
            .bind(&owner.user)
            .bind(&owner.workspace)
            .bind(page.last().map_or(i64::MAX, signed))
            .bind(&query.selector.schema_name)
            .bind(&query.made_by)
            .bind(tags(&query.selector.any_tags))
            .bind(tags(&query.selector.all_tags))
            .bind(BATCH)
            .fetch_all(pool)
            .await
            .map_err(self.fails())?;
            for row in &rows {
                if page.is_full() {
                    return Ok(page.stopped());
                }
                let (record, seq) = record_of(row).map_err(self.fails())?;
                page.offer(record, seq);
            }
            if (rows.len() as i64) < BATCH {
                return Ok(page.ended());
            }
        }
    }

    async fn history_of(
        &self,
        owner: &Owner,
        id: &RecordId,
        limit: u32,
    ) -> Result<Vec<Record>, RecordError> {
        let rows = sqlx::query(
            "SELECT now.user_id, now.workspace_id, now.id, now.schema_name, now.created_at, \
             now.made_by, now.seq, earlier.title, earlier.tags, earlier.context, \
             earlier.version, earlier.updated_at \
             FROM record_history AS earlier JOIN records AS now USING (user_id, workspace_id, id) \
             WHERE user_id = $1 AND workspace_id = $2 AND id = $3 \
             ORDER BY earlier.version DESC LIMIT $4",
        )
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(id.as_str())
        .bind(i64::from(limit))
        .fetch_all(self.ready().await?)
        .await
        .map_err(self.fails())?;
        let records = rows.iter().map(|row| record_of(row).map(|(record, _)| record));
        records.collect::<sqlx::Result<_>>().map_err(self.fails())
    }

    async fn events(&self, place: &Place, limit: u32) -> Result<Vec<StoredEvent>, RecordError> {
        // One look at both: what is pruned in between must not be passed over.
        let mut reading = self.ready().await?.begin_with(SNAPSHOT).await.map_err(self.fails())?;
        let head = head(&mut reading).await.map_err(self.fails())?;
        check_place(place, &head.life, head.pruned, head.seq)?;
        let rows = sqlx::query("SELECT * FROM record_events WHERE seq > $1 ORDER BY seq LIMIT $2")
            .bind(signed(place.seq))
            .bind(i64::from(limit.min(limits::EVENTS)))
            .fetch_all(&mut *reading)
            .await
            .map_err(self.fails())?;
        let events = rows.iter().map(event_of).collect::<sqlx::Result<_>>();
        events.map_err(self.fails())
    }

    /// The record, which nobody else changes before the transaction ends.
    async fn at_version(
        &self,
        connection: &mut PgConnection,
        owner: &Owner,
        id: &RecordId,
        version: u64,
    ) -> Result<Record, RecordError> {
        let found = find(connection, owner, id, LOCKED).await.map_err(self.fails())?;
        let record = found.ok_or_else(|| RecordError::NotFound { id: id.clone() })?;
        check_version(&record, version)?;
        Ok(record)
    }

    /// The number of the next event. Nobody else gets one until this transaction ends,
    /// so that the order of numbers is that of commits.
    async fn next_seq(&self, connection: &mut PgConnection) -> Result<u64, RecordError> {
        let fails = self.fails();
        let (seq, pruned): (i64, i64) =
            sqlx::query_as("UPDATE record_head SET seq = seq + 1 RETURNING seq, pruned")
                .fetch_one(&mut *connection)
                .await
                .map_err(&fails)?;
        let (seq, pruned) = (seq.cast_unsigned(), pruned.cast_unsigned());
        if let Some(up_to) = self.retention.prunes(pruned, seq) {
            for prune in
                ["DELETE FROM record_events WHERE seq <= $1", "UPDATE record_head SET pruned = $1"]
            {
                let prune = sqlx::query(prune).bind(signed(up_to));
                prune.execute(&mut *connection).await.map_err(&fails)?;
            }
        }
        Ok(seq)
    }

    async fn begin(&self) -> Result<Transaction<'static, Postgres>, RecordError> {
        self.ready().await?.begin().await.map_err(self.fails())
    }

    /// A server that is lost now has made the change, or has not.
    async fn commit(&self, transaction: Transaction<'_, Postgres>) -> Result<(), RecordError> {
        transaction.commit().await.map_err(|error| match self.fails()(error) {
            RecordError::Unreachable { server, detail } => {
                RecordError::OutcomeUnknown { server, detail }
            }
            other => other,
        })
    }

    /// What the server says, in our words.
    fn fails(&self) -> impl Fn(sqlx::Error) -> RecordError {
        |error| {
            let detail = match &error {
                sqlx::Error::PoolTimedOut => "it does not answer".to_owned(),
                other => other.to_string(),
            };
            let server = self.server.clone();
            if is_lost(&error) {
                RecordError::Unreachable { server, detail }
            } else {
                RecordError::Failed { server, detail }
            }
        }
    }

    fn of_migration(&self, error: MigrateError) -> RecordError {
        match error {
            MigrateError::VersionMissing(found) => RecordError::NewerSchema {
                server: self.server.clone(),
                found,
                known: MIGRATIONS.len() as i64,
            },
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                self.fails()(error)
            }
            other => RecordError::Failed { server: self.server.clone(), detail: other.to_string() },
        }
    }
}

/// A transaction in which nothing changes while it is read.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Whether the server isn't there, shuts down or starts: class 08 and some of 57 in
/// <https://www.postgresql.org/docs/15/errcodes-appendix.html>.
fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => {
            error.code().is_some_and(|code| code.starts_with("08") || code.starts_with("57P"))
        }
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        _ => false,
    }
}

impl RecordStore for PostgresRecords {
    fn create<'a>(
        &'a self,
        owner: &'a Owner,
        new: NewRecord,
        writing: Writing,
    ) -> Answer<'a, Written> {
        Box::pin(self.create_one(owner, new, writing))
    }

    fn read<'a>(&'a self, owner: &'a Owner, id: &'a RecordId) -> Answer<'a, Option<Record>> {
        Box::pin(async move {
            let mut reading = self.ready().await?.acquire().await.map_err(self.fails())?;
            find(&mut reading, owner, id, SEEN).await.map_err(self.fails())
        })
    }

    fn change<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        version: u64,
        change: Change,
        writing: Writing,
    ) -> Answer<'a, Written> {
        Box::pin(self.change_one(owner, id, version, change, writing))
    }

    fn delete<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        version: u64,
        writing: Writing,
    ) -> Answer<'a, RecordEvent> {
        Box::pin(self.delete_one(owner, id, version, writing))
    }

    fn search<'a>(&'a self, owner: &'a Owner, query: &'a Query) -> Answer<'a, Page> {
        Box::pin(self.search_all(owner, query))
    }

    fn history<'a>(
        &'a self,
        owner: &'a Owner,
        id: &'a RecordId,
        limit: u32,
    ) -> Answer<'a, Vec<Record>> {
        Box::pin(self.history_of(owner, id, limit))
    }

    fn head(&self) -> Answer<'_, Place> {
        Box::pin(async move {
            let mut reading = self.ready().await?.acquire().await.map_err(self.fails())?;
            let head = head(&mut reading).await.map_err(self.fails())?;
            Ok(Place { life: head.life, seq: head.seq })
        })
    }

    fn events_after<'a>(&'a self, place: &'a Place, limit: u32) -> Answer<'a, Vec<StoredEvent>> {
        Box::pin(self.events(place, limit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_in_the_folder_is_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/postgres_migrations");
        let files = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let expected: Vec<String> = (1..)
            .zip(MIGRATIONS)
            .map(|(version, (name, _))| format!("{version:04}_{}.sql", name.replace(' ', "_")))
            .collect();
        assert_eq!(names, expected);
    }

    #[tokio::test]
    async fn an_error_names_the_server_and_not_the_password() {
        let refused = "postgres://me:secret@127.0.0.1:1/team";
        let patience = Duration::from_millis(200);
        let connected = PostgresRecords::connect(refused, patience, Retention::default()).await;
        let error = connected.unwrap_err();
        assert_eq!(error.code(), "database_unreachable");
        assert!(error.to_string().contains("127.0.0.1:1/team"), "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
        let none = PostgresRecords::connect("team", patience, Retention::default()).await;
        assert_eq!(none.unwrap_err().code(), "database_unreachable");
    }
}
