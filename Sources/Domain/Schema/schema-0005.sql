-- The steps of verifications that try several channels one after another, by the ordinal of the verification.

CREATE TABLE steps (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  verification INTEGER NOT NULL,
  -- From 1, in the order in which they are tried.
  position INTEGER NOT NULL,
  channel TEXT NOT NULL,
  -- How long it is waited for before the next one begins; NULL for the last one.
  span INTEGER,
  -- What it came to by itself; what follows from the end of the verification is not written down.
  state TEXT NOT NULL
    CHECK (state = 'waiting' OR state = 'offered' OR state = 'ongoing' OR state = 'failed'
      OR state = 'rejected' OR state = 'skipped'),
  begun_at INTEGER,
  changed_at INTEGER NOT NULL,
  ends_at INTEGER,
  -- The ordinal of the message that it sent.
  message INTEGER,
  -- What the device that was asked has reported.
  receipt TEXT,
  failure TEXT,
  PRIMARY KEY (sandbox, verification, position)
) STRICT, WITHOUT ROWID;
