-- The latest time that the store has known. It belongs to the store, to no owner.
CREATE TABLE store_clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    latest INTEGER NOT NULL
) STRICT;

INSERT INTO store_clock (id, latest) VALUES (1, 0);
