-- When the sandbox's clock started. For older sandboxes it is 0, until the next start of the program sets it.
ALTER TABLE sandboxes ADD COLUMN started_at INTEGER NOT NULL DEFAULT 0;

-- The number of matches of a subscriber's own scenarios, by their position in the record.
CREATE TABLE scenario_hits (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  number TEXT NOT NULL,
  position INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  PRIMARY KEY (sandbox, number, position)
) STRICT, WITHOUT ROWID;

-- The text and the result of each call, by the ordinal of its message.
CREATE TABLE calls (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
