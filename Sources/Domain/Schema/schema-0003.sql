-- Webhooks with their attempts, and the keys that sign them.

CREATE TABLE webhooks (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  subject INTEGER NOT NULL,
  detail TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL
    CHECK (state = 'pending' OR state = 'delivered' OR state = 'failed' OR state = 'refused'
      OR state = 'dropped'),
  reason TEXT,
  -- The time of the next scheduled attempt; NULL if there is none.
  next_at INTEGER,
  -- When an attempt became due; NULL if none is due or running. Replays are not part of the schedule.
  ready_at INTEGER,
  -- Scheduled attempts so far.
  tries INTEGER NOT NULL DEFAULT 0,
  -- The request: all attempts send the same bytes. NULL until the first attempt.
  fields TEXT,
  body BLOB,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhooks_ready ON webhooks (sandbox, ready_at, ordinal) WHERE ready_at IS NOT NULL;
CREATE INDEX webhooks_pending ON webhooks (sandbox, ordinal) WHERE state = 'pending';

CREATE TABLE webhook_attempts (
  sandbox INTEGER NOT NULL,
  webhook INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  answer TEXT NOT NULL,
  PRIMARY KEY (sandbox, webhook, number),
  FOREIGN KEY (sandbox, webhook) REFERENCES webhooks (sandbox, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE signing_keys (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  private_pem TEXT NOT NULL,
  public_pem TEXT NOT NULL,
  PRIMARY KEY (sandbox, name)
) STRICT, WITHOUT ROWID;
