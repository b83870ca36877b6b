-- The pairing token that a login was begun with, as its hash: a new one ends the logins of
-- all others. Logins from before this have none.
ALTER TABLE extension_sessions ADD COLUMN pairing_hash BLOB;
