-- Apps that registered themselves on handsets, what is pushed to them, and the questions they are asked.

CREATE TABLE devices (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  -- The phone number of the handset, or whatever else the provider knows the person by.
  holder TEXT NOT NULL,
  app TEXT NOT NULL,
  -- The provider's id of what it registered by.
  reference TEXT NOT NULL,
  push_token TEXT,
  platform TEXT NOT NULL CHECK (platform = 'android' OR platform = 'ios'),
  public_key TEXT NOT NULL,
  -- NULL: the app keeps it.
  private_key TEXT,
  registered_at INTEGER NOT NULL,
  ending TEXT CHECK (ending = 'replaced' OR ending = 'removed'),
  ended_at INTEGER,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_by_holder ON devices (sandbox, holder, ordinal);

-- The pushes among the messages, by the message's ordinal: what the app reads, and what it told of them.
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
  -- The ordinal of the push that brought it.
  push INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answer TEXT CHECK (answer = 'approve' OR answer = 'deny'),
  answered_at INTEGER,
  -- What the person answers unasked, where their record does not say.
  habit TEXT,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX challenges_by_reference ON challenges (sandbox, reference, ordinal);
