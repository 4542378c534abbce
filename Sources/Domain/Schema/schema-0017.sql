-- How many tokens of the sandbox were revoked. The next one is computed with this number.

ALTER TABLE quotas ADD COLUMN revoked_tokens INTEGER NOT NULL DEFAULT 0 CHECK (revoked_tokens >= 0);
