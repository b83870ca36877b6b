-- The same tables as in SQLite, for many hubs: see migrations/0007_records.sql.
-- Contexts are JSON as text: as it was sent, with the order of its keys.
CREATE TABLE records (
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    schema_name TEXT NOT NULL,
    title TEXT NOT NULL,
    tags TEXT[] NOT NULL,
    context TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    made_by TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (user_id, workspace_id, id)
);

CREATE INDEX records_by_change ON records (user_id, workspace_id, seq);
CREATE INDEX records_by_schema ON records (user_id, workspace_id, schema_name, seq);
CREATE INDEX records_by_tag ON records USING gin (tags);

CREATE TABLE record_history (
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    version BIGINT NOT NULL,
    title TEXT NOT NULL,
    tags TEXT[] NOT NULL,
    context TEXT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, workspace_id, id, version),
    FOREIGN KEY (user_id, workspace_id, id) REFERENCES records (user_id, workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE record_events (
    seq BIGINT PRIMARY KEY,
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('record.created', 'record.updated', 'record.deleted')),
    id TEXT NOT NULL,
    schema_name TEXT NOT NULL,
    tags TEXT[] NOT NULL,
    version BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    made_by TEXT NOT NULL
);

-- Its one row is locked from when an event gets its number until it is committed: a
-- sequence would number events in another order than that in which they are seen.
CREATE TABLE record_head (
    place INTEGER PRIMARY KEY CHECK (place = 1),
    life TEXT NOT NULL,
    seq BIGINT NOT NULL,
    pruned BIGINT NOT NULL
);

INSERT INTO record_head (place, life, seq, pruned)
VALUES (1, replace(gen_random_uuid()::text, '-', ''), 0, 0);
