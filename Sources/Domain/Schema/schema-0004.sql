-- Proofs of possession by the data connection of a handset, and how a sandbox's gateway behaves.

CREATE TABLE silent_sessions (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  number TEXT NOT NULL,
  -- The ordinal of the verification it belongs to, and which of its sendings it is.
  verification INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  single_use INTEGER NOT NULL,
  return_url TEXT NOT NULL,
  -- What a scenario has in store for it; NULL: as the record says, or nobody has asked yet.
  planned_outcome TEXT,
  details TEXT NOT NULL,
  opened_at INTEGER,
  -- How often the gateway has found something else than before; the grant follows from it.
  findings INTEGER NOT NULL DEFAULT 0,
  outcome TEXT,
  handset TEXT,
  bearer TEXT,
  concluded_at INTEGER,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX silent_sessions_by_verification ON silent_sessions (sandbox, verification, ordinal);

-- A sandbox without a row has the defaults.
CREATE TABLE gateways (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (id) ON DELETE CASCADE,
  mode TEXT NOT NULL CHECK (mode = 'magic' OR mode = 'strict'),
  hops INTEGER NOT NULL,
  tls INTEGER NOT NULL
) STRICT;
