-- The state of each device's push token, whether the device is online, and all push requests.

-- ok, unregistered, mismatch, quota, thirdparty or flaky:N.
ALTER TABLE devices ADD COLUMN token_state TEXT NOT NULL DEFAULT 'ok';
ALTER TABLE devices ADD COLUMN is_online INTEGER NOT NULL DEFAULT 1;
CREATE INDEX devices_by_token ON devices (sandbox, push_token, ordinal) WHERE push_token IS NOT NULL;

-- Tokens that were replaced by new ones.
CREATE TABLE retired_tokens (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  token TEXT NOT NULL,
  PRIMARY KEY (sandbox, token)
) STRICT, WITHOUT ROWID;

CREATE TABLE push_attempts (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  at INTEGER NOT NULL,
  provider TEXT NOT NULL,
  -- The target of the request and its kind: token, topic. NULL if the request names no valid target.
  kind TEXT,
  target TEXT,
  status INTEGER NOT NULL,
  -- The provider's error code.
  code TEXT,
  is_dry_run INTEGER NOT NULL,
  -- The provider's id of the accepted message.
  reference TEXT,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX push_attempts_by_target ON push_attempts (sandbox, target, ordinal);
