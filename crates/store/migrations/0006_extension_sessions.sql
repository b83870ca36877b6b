-- Logins of extensions. A family is all the tokens that came of one login.
CREATE TABLE extension_sessions (
    family TEXT PRIMARY KEY,
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    extension_origin TEXT NOT NULL,
    instance TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    issued_at INTEGER NOT NULL,
    access_hash BLOB NOT NULL UNIQUE,
    access_expires_at INTEGER NOT NULL,
    refresh_hash BLOB NOT NULL UNIQUE,
    refresh_expires_at INTEGER NOT NULL,
    revoked_at INTEGER,
    revoked_why TEXT CHECK (revoked_why IN ('signed_out', 'withdrawn', 'reused')),
    CHECK ((revoked_at IS NULL) = (revoked_why IS NULL))
) STRICT;

CREATE INDEX extension_sessions_of_owner ON extension_sessions (user_id, workspace_id, created_at);

-- Refresh tokens that were used already. Whoever shows one has a copy.
CREATE TABLE spent_refresh_tokens (
    hash BLOB PRIMARY KEY,
    family TEXT NOT NULL REFERENCES extension_sessions (family),
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX spent_refresh_tokens_of_family ON spent_refresh_tokens (family, expires_at);
