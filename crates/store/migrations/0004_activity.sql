-- Each row carries the hash of the one before it.
CREATE TABLE activity_log (
    seq INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    client TEXT NOT NULL,
    session TEXT NOT NULL,
    tool TEXT NOT NULL,
    permission_key TEXT,
    origin TEXT,
    decision TEXT,
    outcome TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    characters INTEGER NOT NULL,
    tabs INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    prev_hash BLOB NOT NULL,
    hash BLOB NOT NULL
) STRICT;

CREATE INDEX activity_log_of_owner ON activity_log (user_id, workspace_id, seq);

-- Where the chain starts (the last row that was pruned) and its head (the last row
-- that was written). One chain a store, so that it belongs to no owner.
CREATE TABLE activity_anchor (
    place TEXT PRIMARY KEY CHECK (place IN ('start', 'head')),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;

INSERT INTO activity_anchor (place, seq, hash) VALUES ('start', 0, zeroblob(32)), ('head', 0, zeroblob(32));

CREATE TRIGGER activity_log_is_not_changed BEFORE UPDATE ON activity_log
BEGIN
    SELECT RAISE(ABORT, 'the activity log is only appended to');
END;

-- Pruning moves the start first: what is before it is no part of the chain any more.
CREATE TRIGGER activity_log_is_not_cut BEFORE DELETE ON activity_log
WHEN OLD.seq > (SELECT seq FROM activity_anchor WHERE place = 'start')
BEGIN
    SELECT RAISE(ABORT, 'the activity log is only appended to');
END;

-- INSERT OR REPLACE would change a row and fire no other trigger.
CREATE TRIGGER activity_log_is_not_replaced BEFORE INSERT ON activity_log
WHEN NEW.seq <= (SELECT seq FROM activity_anchor WHERE place = 'head')
BEGIN
    SELECT RAISE(ABORT, 'the activity log is only appended to');
END;

CREATE TRIGGER activity_anchor_only_moves_on BEFORE UPDATE ON activity_anchor
WHEN NEW.place <> OLD.place OR NEW.seq <= OLD.seq
BEGIN
    SELECT RAISE(ABORT, 'an anchor of the activity log only moves on');
END;

CREATE TRIGGER activity_anchor_stays BEFORE DELETE ON activity_anchor
BEGIN
    SELECT RAISE(ABORT, 'an anchor of the activity log only moves on');
END;

CREATE TRIGGER activity_anchor_is_not_replaced BEFORE INSERT ON activity_anchor
BEGIN
    SELECT RAISE(ABORT, 'an anchor of the activity log only moves on');
END;
