-- Apps on handsets, the pushes sent to them, and their challenges.

CREATE TABLE devices (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  -- The phone number of the handset, or another id of the person at the provider.
  holder TEXT NOT NULL,
  app TEXT NOT NULL,
  -- The provider's id of the registration.
  reference TEXT NOT NULL,
  push_token TEXT,
  platform TEXT NOT NULL CHECK (platform = 'android' OR platform = 'ios'),
  public_key TEXT NOT NULL,
  -- NULL if only the app has it.
  private_key TEXT,
  registered_at INTEGER NOT NULL,
  ending TEXT CHECK (ending = 'replaced' OR ending = 'removed'),
  ended_at INTEGER,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_by_holder ON devices (sandbox, holder, ordinal);

-- The payload of each push and its receipts, by the ordinal of its message.
CREATE TABLE pushes (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  device INTEGER NOT NULL,
  token TEXT NOT NULL,
  payload TEXT NOT NULL,
  delivered_at INTEGER,
  read_at INTEGER,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE challenges (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  reference TEXT NOT NULL,
  holder TEXT NOT NULL,
  -- NULL until a device has scanned it.
  device INTEGER,
  -- The ordinal of the push that delivered it.
  push INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answer TEXT CHECK (answer = 'approve' OR answer = 'deny'),
  answered_at INTEGER,
  -- The person's usual answer, if their record does not set one.
  default_reaction TEXT,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX challenges_by_reference ON challenges (sandbox, reference, ordinal);
