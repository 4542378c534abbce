-- How many tokens of sandboxes of a name were revoked. Kept when a sandbox is deleted, so that another one of its name does not
-- have a token that was revoked.

CREATE TABLE revoked_tokens (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL CHECK (count > 0)
) STRICT, WITHOUT ROWID;

INSERT INTO revoked_tokens (name, count)
  SELECT name, revoked_tokens FROM sandboxes JOIN quotas ON sandbox = id WHERE revoked_tokens > 0;
