-- Sites that the user trusts, and those that no agent is to go to.
CREATE TABLE domain_trust (
    user_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    domain TEXT NOT NULL,
    standing TEXT NOT NULL CHECK (standing IN ('trusted', 'blocked')),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, workspace_id, domain)
) STRICT;
