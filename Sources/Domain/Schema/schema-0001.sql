-- One database has the rows of all sandboxes. Each key starts with the sandbox.
-- Times are milliseconds since 1970-01-01T00:00:00Z on the sandbox's clock.
-- Rows of a sandbox are numbered in one sequence, up to `last_ordinal`, so new rows go to the end of each table.

CREATE TABLE sandboxes (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  entropy_seed INTEGER NOT NULL,
  clock TEXT NOT NULL CHECK (clock IN ('real', 'frozen', 'offset')),
  clock_value INTEGER NOT NULL,
  first_clock TEXT NOT NULL CHECK (first_clock IN ('real', 'frozen', 'offset')),
  first_clock_value INTEGER NOT NULL,
  seeds TEXT NOT NULL,
  first_entropy_seed INTEGER NOT NULL,
  last_ordinal INTEGER NOT NULL DEFAULT 0,
  starts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE credentials (
  provider TEXT NOT NULL,
  name TEXT NOT NULL,
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  account TEXT NOT NULL,
  PRIMARY KEY (provider, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX credentials_by_sandbox ON credentials (sandbox);

CREATE TABLE subscribers (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  number TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (sandbox, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE rules (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('scenario', 'fault')),
  position INTEGER NOT NULL,
  record TEXT NOT NULL,
  hits INTEGER NOT NULL DEFAULT 0,
  applied INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (sandbox, kind, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  owner TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (sandbox, provider, kind, key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX records_in_order ON records (sandbox, provider, kind, owner, ordinal);

CREATE TABLE verifications (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  owner TEXT NOT NULL,
  destination TEXT NOT NULL,
  series INTEGER NOT NULL,
  channel TEXT NOT NULL,
  state TEXT NOT NULL
    -- Not IN: SQLite would build a temporary table for every written row.
    CHECK (state = 'pending' OR state = 'approved' OR state = 'denied' OR state = 'canceled'
      OR state = 'expired' OR state = 'exhausted'),
  code TEXT NOT NULL,
  checks INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  attempts TEXT NOT NULL,
  details TEXT NOT NULL,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX verifications_by_destination ON verifications (sandbox, provider, destination, ordinal);

CREATE TABLE messages (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  reference TEXT NOT NULL,
  channel TEXT NOT NULL,
  destination TEXT NOT NULL,
  sender TEXT NOT NULL,
  text TEXT NOT NULL,
  code TEXT,
  submitted_at INTEGER NOT NULL,
  arrives_at INTEGER,
  receipts TEXT NOT NULL,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_by_destination ON messages (sandbox, destination, ordinal);

CREATE TABLE agenda (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  due_at INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject INTEGER NOT NULL,
  detail INTEGER NOT NULL,
  PRIMARY KEY (sandbox, due_at, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  provider TEXT NOT NULL,
  subject INTEGER NOT NULL,
  destination TEXT NOT NULL,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
