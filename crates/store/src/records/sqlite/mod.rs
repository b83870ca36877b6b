//! Records in the store's own file. Its one writer is what puts events in order.
//! Tables `records`, `record_history`, `record_events` and `record_head`.

mod rows;

use outrigger_protocol::records::{Record, RecordEvent, RecordId};
use sqlx::SqliteConnection;

use self::rows::{append, event_of, find, head, json_of, keep, put, record_of, signed};
use super::change::{check_version, told, told_gone};
use super::page::Filling;
use super::{
    Answer, Change, NewRecord, Page, Place, Query, RecordError, RecordStore, Retention,
    StoredEvent, Writing, Written, check_place, limits,
};
use crate::error::StoreError;
use crate::owner::Owner;
use crate::store::Store;

/// Records that are read at once for a page.
const BATCH: i64 = 32;

/// The records of a store.
#[derive(Debug, Clone)]
pub struct SqliteRecords {
    store: Store,
    retention: Retention,
}

impl SqliteRecords {
    /// Those in this store, with so many events to go on from.
    pub fn new(store: Store, retention: Retention) -> Self {
        SqliteRecords { store, retention }
    }

    async fn create_one(
        &self,
        owner: &Owner,
        new: NewRecord,
        writing: Writing,
    ) -> Result<Written, RecordError> {
        let record = new.into_record(writing.at_ms)?;
        let mut transaction = self.store.write().await?;
        if find(&mut transaction, owner, &record.id).await.map_err(self.misreads())?.is_some() {
            return Err(RecordError::AlreadyThere { id: record.id });
        }
        let event = told(&record, self.next_seq(&mut transaction).await?, false);
        put(&mut transaction, owner, &record, event.seq).await.map_err(self.store.fails())?;
        append(&mut transaction, owner, &event).await.map_err(self.store.fails())?;
        transaction.commit().await.map_err(self.store.fails())?;
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
        let mut transaction = self.store.write().await?;
        let before = self.at_version(&mut transaction, owner, id, version).await?;
        let record = change.apply(&before, writing.at_ms)?;
        let event = told(&record, self.next_seq(&mut transaction).await?, false);
        if writing.keeps_history {
            keep(&mut transaction, owner, &before).await.map_err(self.store.fails())?;
        }
        put(&mut transaction, owner, &record, event.seq).await.map_err(self.store.fails())?;
        append(&mut transaction, owner, &event).await.map_err(self.store.fails())?;
        transaction.commit().await.map_err(self.store.fails())?;
        Ok(Written { record, event })
    }

    async fn delete_one(
        &self,
        owner: &Owner,
        id: &RecordId,
        version: u64,
        writing: Writing,
    ) -> Result<RecordEvent, RecordError> {
        let mut transaction = self.store.write().await?;
        let record = self.at_version(&mut transaction, owner, id, version).await?;
        let seq = self.next_seq(&mut transaction).await?;
        let event = told_gone(&record, writing.at_ms, seq, false);
        sqlx::query("DELETE FROM records WHERE user_id = $1 AND workspace_id = $2 AND id = $3")
            .bind(&owner.user)
            .bind(&owner.workspace)
            .bind(id.as_str())
            .execute(&mut *transaction)
            .await
            .map_err(self.store.fails())?;
        append(&mut transaction, owner, &event).await.map_err(self.store.fails())?;
        transaction.commit().await.map_err(self.store.fails())?;
        Ok(event)
    }

    async fn search_all(&self, owner: &Owner, query: &Query) -> Result<Page, RecordError> {
        limits::check_query(query)?;
        let tags = |tags: &[String]| (!tags.is_empty()).then(|| json_of(tags));
        let mut page = Filling::new(query);
        loop {
            let rows = sqlx::query(
                "SELECT * FROM records WHERE user_id = $1 AND workspace_id = $2 AND seq < $3 \
                 AND ($4 IS NULL OR schema_name = $4) AND ($5 IS NULL OR made_by = $5) \
                 AND ($6 IS NULL OR EXISTS (SELECT 1 FROM json_each(tags) \
                      WHERE value IN (SELECT value FROM json_each($6)))) \
                 AND ($7 IS NULL OR NOT EXISTS (SELECT 1 FROM json_each($7) AS asked \
                      WHERE asked.value NOT IN (SELECT value FROM json_each(tags)))) \
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
            .fetch_all(self.store.readers())
            .await
            .map_err(self.store.fails())?;
            for row in &rows {
                if page.is_full() {
                    return Ok(page.stopped());
                }
                let (record, seq) = record_of(row).map_err(self.misreads())?;
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
        .fetch_all(self.store.readers())
        .await
        .map_err(self.store.fails())?;
        let records = rows.iter().map(|row| record_of(row).map(|(record, _)| record));
        Ok(records.collect::<sqlx::Result<_>>().map_err(self.misreads())?)
    }

    async fn events(&self, place: &Place, limit: u32) -> Result<Vec<StoredEvent>, RecordError> {
        // One look at both: what is pruned in between must not be passed over.
        let mut reading = self.store.readers().begin().await.map_err(self.store.fails())?;
        let head = head(&mut reading).await.map_err(self.store.fails())?;
        check_place(place, &head.life, head.pruned, head.seq)?;
        let rows = sqlx::query("SELECT * FROM record_events WHERE seq > $1 ORDER BY seq LIMIT $2")
            .bind(signed(place.seq))
            .bind(i64::from(limit.min(limits::EVENTS)))
            .fetch_all(&mut *reading)
            .await
            .map_err(self.store.fails())?;
        let events = rows.iter().map(event_of).collect::<sqlx::Result<_>>();
        Ok(events.map_err(self.store.misreads("record_events"))?)
    }

    /// The record, which nobody else changes before the transaction ends.
    async fn at_version(
        &self,
        connection: &mut SqliteConnection,
        owner: &Owner,
        id: &RecordId,
        version: u64,
    ) -> Result<Record, RecordError> {
        let found = find(connection, owner, id).await.map_err(self.misreads())?;
        let record = found.ok_or_else(|| RecordError::NotFound { id: id.clone() })?;
        check_version(&record, version)?;
        Ok(record)
    }

    /// The number of the next event. There is only one writer, so that the order of
    /// numbers is that of commits.
    async fn next_seq(&self, connection: &mut SqliteConnection) -> Result<u64, RecordError> {
        let fails = self.store.fails();
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

    fn misreads(&self) -> impl Fn(sqlx::Error) -> StoreError {
        self.store.misreads("records")
    }
}

impl RecordStore for SqliteRecords {
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
            let mut reading = self.store.readers().acquire().await.map_err(self.store.fails())?;
            Ok(find(&mut reading, owner, id).await.map_err(self.misreads())?)
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
            let mut reading = self.store.readers().acquire().await.map_err(self.store.fails())?;
            let head = head(&mut reading).await.map_err(self.store.fails())?;
            Ok(Place { life: head.life, seq: head.seq })
        })
    }

    fn events_after<'a>(&'a self, place: &'a Place, limit: u32) -> Answer<'a, Vec<StoredEvent>> {
        Box::pin(self.events(place, limit))
    }
}
