-- Webhooks: requests to be sent to whoever asked for them, each with its attempts; and the keys that sign them.

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
  -- When the schedule has its next attempt; none is to come where it is NULL.
  next_at INTEGER,
  -- Since when an attempt is due or under way; a replay is one without a place in the schedule.
  ready_at INTEGER,
  -- Attempts of the schedule so far.
  tries INTEGER NOT NULL DEFAULT 0,
  -- What is sent, byte for byte each time: NULL until the first attempt.
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
