-- When a sandbox's clock began; 0, for one older than this, becomes the time of the next start.
ALTER TABLE sandboxes ADD COLUMN started_at INTEGER NOT NULL DEFAULT 0;

-- How often a subscriber's own scenario, by its place in the record, had its occasion.
CREATE TABLE occasions (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  number TEXT NOT NULL,
  position INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  PRIMARY KEY (sandbox, number, position)
) STRICT, WITHOUT ROWID;

-- The calls among the messages, by the message's ordinal: what was to be read out, and how the call went.
CREATE TABLE calls (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
