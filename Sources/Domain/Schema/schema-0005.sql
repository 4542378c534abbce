-- The steps of verifications that try several channels, by the ordinal of the verification.

CREATE TABLE steps (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  verification INTEGER NOT NULL,
  -- From 1, in order.
  position INTEGER NOT NULL,
  channel TEXT NOT NULL,
  -- The time before the next step starts; NULL for the last step.
  span INTEGER,
  -- Without the effects of the end of the verification, which are computed when a step is read.
  state TEXT NOT NULL
    CHECK (state = 'waiting' OR state = 'offered' OR state = 'ongoing' OR state = 'failed'
      OR state = 'rejected' OR state = 'skipped'),
  begun_at INTEGER,
  changed_at INTEGER NOT NULL,
  ends_at INTEGER,
  -- The ordinal of the message that the step has sent.
  message INTEGER,
  -- The last receipt of the device that was asked.
  receipt TEXT,
  failure TEXT,
  PRIMARY KEY (sandbox, verification, position)
) STRICT, WITHOUT ROWID;
