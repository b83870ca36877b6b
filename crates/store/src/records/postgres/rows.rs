//! Records and events as rows of PostgreSQL, written and read one at a time.

use outrigger_protocol::records::{Context, Record, RecordEvent, RecordEventKind, RecordId};
use sqlx::postgres::PgRow;
use sqlx::{PgConnection, Row as _};

use super::super::{StoredEvent, limits};
use crate::owner::Owner;
use crate::store::misread;

/// Where the events end, and up to where they are forgotten.
pub(super) struct Head {
    pub(super) life: String,
    pub(super) seq: u64,
    pub(super) pruned: u64,
}

pub(super) async fn head(connection: &mut PgConnection) -> sqlx::Result<Head> {
    let (life, seq, pruned): (String, i64, i64) =
        sqlx::query_as("SELECT life, seq, pruned FROM record_head").fetch_one(connection).await?;
    Ok(Head { life, seq: seq.cast_unsigned(), pruned: pruned.cast_unsigned() })
}

/// A record as it was committed last.
pub(super) const SEEN: &str =
    "SELECT * FROM records WHERE user_id = $1 AND workspace_id = $2 AND id = $3";
/// The same, and nobody else changes it before the transaction ends.
pub(super) const LOCKED: &str =
    "SELECT * FROM records WHERE user_id = $1 AND workspace_id = $2 AND id = $3 FOR UPDATE";

pub(super) async fn find(
    connection: &mut PgConnection,
    owner: &Owner,
    id: &RecordId,
    how: &'static str,
) -> sqlx::Result<Option<Record>> {
    let row = sqlx::query(how)
        .bind(&owner.user)
        .bind(&owner.workspace)
        .bind(id.as_str())
        .fetch_optional(connection)
        .await?;
    row.map(|row| record_of(&row).map(|(record, _)| record)).transpose()
}

pub(super) async fn put(
    connection: &mut PgConnection,
    owner: &Owner,
    record: &Record,
    seq: u64,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO records (user_id, workspace_id, id, schema_name, title, tags, context, \
         version, created_at, updated_at, made_by, seq) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
         ON CONFLICT (user_id, workspace_id, id) DO UPDATE SET title = excluded.title, \
         tags = excluded.tags, context = excluded.context, version = excluded.version, \
         updated_at = excluded.updated_at, seq = excluded.seq",
    )
    .bind(&owner.user)
    .bind(&owner.workspace)
    .bind(record.id.as_str())
    .bind(&record.schema_name)
    .bind(&record.title)
    .bind(&record.tags)
    .bind(text_of(&record.context))
    .bind(signed(record.version))
    .bind(record.created_at)
    .bind(record.updated_at)
    .bind(&record.owner)
    .bind(signed(seq))
    .execute(connection)
    .await?;
    Ok(())
}

/// Keeps a version that ends, and not too many of them.
pub(super) async fn keep(
    connection: &mut PgConnection,
    owner: &Owner,
    before: &Record,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO record_history (user_id, workspace_id, id, version, title, tags, context, \
         updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(&owner.user)
    .bind(&owner.workspace)
    .bind(before.id.as_str())
    .bind(signed(before.version))
    .bind(&before.title)
    .bind(&before.tags)
    .bind(text_of(&before.context))
    .bind(before.updated_at)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "DELETE FROM record_history WHERE user_id = $1 AND workspace_id = $2 AND id = $3 \
         AND version NOT IN (SELECT version FROM record_history WHERE user_id = $1 \
         AND workspace_id = $2 AND id = $3 ORDER BY version DESC LIMIT $4)",
    )
    .bind(&owner.user)
    .bind(&owner.workspace)
    .bind(before.id.as_str())
    .bind(signed(limits::HISTORY))
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn append(
    connection: &mut PgConnection,
    owner: &Owner,
    event: &RecordEvent,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO record_events (seq, user_id, workspace_id, kind, id, schema_name, tags, \
         version, at_ms, made_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
    )
    .bind(signed(event.seq))
    .bind(&owner.user)
    .bind(&owner.workspace)
    .bind(event.kind.as_str())
    .bind(event.id.as_str())
    .bind(&event.schema_name)
    .bind(&event.tags)
    .bind(signed(event.version))
    .bind(event.at)
    .bind(&event.owner)
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) fn record_of(row: &PgRow) -> sqlx::Result<(Record, u64)> {
    let context: String = row.try_get("context")?;
    let record = Record {
        id: id_of(row)?,
        schema_name: row.try_get("schema_name")?,
        title: row.try_get("title")?,
        tags: row.try_get("tags")?,
        context: serde_json::from_str(&context).map_err(|_| misread("no JSON object"))?,
        version: unsigned(row, "version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
        owner: row.try_get("made_by")?,
    };
    Ok((record, unsigned(row, "seq")?))
}

pub(super) fn event_of(row: &PgRow) -> sqlx::Result<StoredEvent> {
    let kind: String = row.try_get("kind")?;
    let event = RecordEvent {
        seq: unsigned(row, "seq")?,
        kind: RecordEventKind::parse(&kind).ok_or_else(|| misread(&kind))?,
        id: id_of(row)?,
        schema_name: row.try_get("schema_name")?,
        tags: row.try_get("tags")?,
        version: unsigned(row, "version")?,
        at: row.try_get("at_ms")?,
        owner: row.try_get("made_by")?,
        volatile: false,
    };
    let owner = Owner { user: row.try_get("user_id")?, workspace: row.try_get("workspace_id")? };
    Ok(StoredEvent { owner, event })
}

pub(super) fn id_of(row: &PgRow) -> sqlx::Result<RecordId> {
    let id: String = row.try_get("id")?;
    RecordId::parse(&id).ok_or_else(|| misread(&id))
}

pub(super) fn unsigned(row: &PgRow, column: &str) -> sqlx::Result<u64> {
    row.try_get::<i64, _>(column).map(i64::cast_unsigned)
}

/// Neither versions nor numbers of events come near what SQL can hold.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn text_of(context: &Context) -> String {
    serde_json::Value::Object(context.clone()).to_string()
}
