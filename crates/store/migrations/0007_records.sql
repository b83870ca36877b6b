-- Records. `seq` is that of a record's last event: the one that changed last has the
-- highest. Tags and context are JSON.
CREATE TABLE records (
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    schema_name TEXT NOT NULL,
    title TEXT NOT NULL,
    tags TEXT NOT NULL,
    context TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    made_by TEXT NOT NULL,
    seq INTEGER NOT NULL UNIQUE,
    PRIMARY KEY (user_id, workspace_id, id)
) STRICT;

CREATE INDEX records_by_change ON records (user_id, workspace_id, seq);
CREATE INDEX records_by_schema ON records (user_id, workspace_id, schema_name, seq);

-- Earlier versions, where they are kept.
CREATE TABLE record_history (
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    title TEXT NOT NULL,
    tags TEXT NOT NULL,
    context TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, workspace_id, id, version),
    FOREIGN KEY (user_id, workspace_id, id) REFERENCES records (user_id, workspace_id, id) ON DELETE CASCADE
) STRICT;

-- What is told of changes: which record, and nothing of what is in it.
CREATE TABLE record_events (
    seq INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('record.created', 'record.updated', 'record.deleted')),
    id TEXT NOT NULL,
    schema_name TEXT NOT NULL,
    tags TEXT NOT NULL,
    version INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    made_by TEXT NOT NULL
) STRICT;

-- Where the events end, up to where they are forgotten, and whose they are: a place
-- among the events of one store means nothing in another. It belongs to no owner.
CREATE TABLE record_head (
    place INTEGER PRIMARY KEY CHECK (place = 1),
    life TEXT NOT NULL,
    seq INTEGER NOT NULL,
    pruned INTEGER NOT NULL
) STRICT;

INSERT INTO record_head (place, life, seq, pruned) VALUES (1, lower(hex(randomblob(9))), 0, 0);
