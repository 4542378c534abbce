-- Silent verifications, and the settings of the operators' gateway.

CREATE TABLE silent_sessions (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  number TEXT NOT NULL,
  -- The ordinal of the verification, and the number of its attempt.
  verification INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  single_use INTEGER NOT NULL,
  return_url TEXT NOT NULL,
  -- The outcome set by a scenario. NULL: the record decides, or the gateway was not asked yet.
  planned_outcome TEXT,
  details TEXT NOT NULL,
  opened_at INTEGER,
  -- How many times the gateway's finding has changed. The grant depends on it.
  findings INTEGER NOT NULL DEFAULT 0,
  outcome TEXT,
  handset TEXT,
  bearer TEXT,
  concluded_at INTEGER,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX silent_sessions_by_verification ON silent_sessions (sandbox, verification, ordinal);

-- A sandbox without a row has the default settings.
CREATE TABLE gateways (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK (mode = 'magic' OR mode = 'strict'),
  hops INTEGER NOT NULL,
  tls INTEGER NOT NULL
) STRICT;
