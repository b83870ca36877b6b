-- What the user decided for good. Patterns are in the form that the guard writes.
CREATE TABLE extension_tool_permissions (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    tool_pattern TEXT NOT NULL,
    origin_pattern TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('allow_always', 'deny_always')),
    updated_at INTEGER NOT NULL,
    UNIQUE (user_id, workspace_id, tool_pattern, origin_pattern)
) STRICT;
