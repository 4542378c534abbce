-- One database has the rows of all sandboxes. Each key starts with the sandbox.
-- Times are milliseconds since 1970-01-01T00:00:00Z on the sandbox's clock.
-- Rows of a sandbox are numbered in one sequence, up to `last_ordinal`, so new rows go to the end of each
-- table. The tables that every request adds to have one integer as their key: see `RecordKey`.

CREATE TABLE sandboxes (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  entropy_seed INTEGER NOT NULL,
  -- Not IN: SQLite would build a temporary table for every new row.
  clock TEXT NOT NULL CHECK (clock = 'real' OR clock = 'frozen' OR clock = 'offset'),
  clock_value INTEGER NOT NULL,
  first_clock TEXT NOT NULL CHECK (first_clock = 'real' OR first_clock = 'frozen' OR first_clock = 'offset'),
  first_clock_value INTEGER NOT NULL,
  seeds TEXT NOT NULL,
  first_entropy_seed INTEGER NOT NULL,
  last_ordinal INTEGER NOT NULL DEFAULT 0,
  starts INTEGER NOT NULL DEFAULT 0,
  -- When the sandbox's clock started.
  started_at INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A sandbox that is being made beside the one that it replaces has the same credentials. Which of them counts
-- is decided by the names of the sandboxes: those that begin with ~ are hidden.
CREATE TABLE credentials (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  provider TEXT NOT NULL,
  name TEXT NOT NULL,
  secret TEXT NOT NULL,
  account TEXT NOT NULL,
  PRIMARY KEY (sandbox, provider, name)
) STRICT, WITHOUT ROWID;

-- How many tokens of sandboxes of a name were revoked. Kept when a sandbox is deleted, so that another one
-- of its name does not have a token that was revoked.
CREATE TABLE revoked_tokens (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL CHECK (count > 0)
) STRICT, WITHOUT ROWID;

-- What a sandbox may use of a shared server. A sandbox without a row has no limit of its own.
-- Times are milliseconds on the server's clock, not on the sandbox's.
CREATE TABLE quotas (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (id),
  ttl INTEGER CHECK (ttl > 0),
  last_request_at INTEGER NOT NULL,
  messages INTEGER CHECK (messages > 0),
  requests_per_second INTEGER CHECK (requests_per_second > 0),
  stored_bytes INTEGER CHECK (stored_bytes > 0),
  revoked_tokens INTEGER NOT NULL DEFAULT 0 CHECK (revoked_tokens >= 0)
) STRICT;

CREATE TABLE subscribers (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  number TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (sandbox, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE rules (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  kind TEXT NOT NULL
    CHECK (kind IN ('scenario', 'fault', 'webhookFault', 'latency', 'requestLimit', 'chaos')),
  position INTEGER NOT NULL,
  record TEXT NOT NULL,
  hits INTEGER NOT NULL DEFAULT 0,
  applied INTEGER NOT NULL DEFAULT 0,
  -- Who added the rule: see `RuleOrigin`.
  origin TEXT NOT NULL DEFAULT 'control',
  PRIMARY KEY (sandbox, kind, position)
) STRICT, WITHOUT ROWID;

-- The number of matches of a subscriber's own scenarios, by their position in the record.
CREATE TABLE scenario_hits (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  number TEXT NOT NULL,
  position INTEGER NOT NULL,
  hits INTEGER NOT NULL,
  applied INTEGER NOT NULL,
  PRIMARY KEY (sandbox, number, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  provider TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  owner TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (sandbox, provider, kind, key)
-- With a rowid: without, SQLite reads whole rows to compare their keys.
) STRICT;
CREATE UNIQUE INDEX records_in_order ON records (sandbox, provider, kind, owner, ordinal);

CREATE TABLE verifications (
  key INTEGER PRIMARY KEY,
  sandbox INTEGER AS (key >> 40),
  ordinal INTEGER AS (key & 0xFFFFFFFFFF),
  provider TEXT NOT NULL,
  owner TEXT NOT NULL,
  destination TEXT NOT NULL,
  series INTEGER NOT NULL,
  channel TEXT NOT NULL,
  state TEXT NOT NULL
    -- Not IN: SQLite would build a temporary table for every written row.
    CHECK (state = 'pending' OR state = 'approved' OR state = 'denied' OR state = 'canceled'
      OR state = 'expired' OR state = 'exhausted'),
  code TEXT NOT NULL,
  checks INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  attempts TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;

-- The older entries of `DestinationIndex`: which records a destination may have. Written from the records, so
-- snapshots do not have them.
CREATE TABLE destinations (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  -- Of the destination and the kind of record: see `DestinationHash`.
  hash INTEGER NOT NULL,
  -- Of the verification or the message.
  ordinal INTEGER NOT NULL,
  -- How much larger the ordinal of the message is that shares the entry; 0: none does. See `DestinationEntry`.
  message_offset INTEGER NOT NULL,
  PRIMARY KEY (sandbox, hash, ordinal)
) STRICT, WITHOUT ROWID;

-- The last ordinal that `destinations` has.
CREATE TABLE destination_reach (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (id),
  reach INTEGER NOT NULL
) STRICT;

-- The steps of verifications that try several channels, by the ordinal of the verification.
CREATE TABLE steps (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
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

CREATE TABLE messages (
  key INTEGER PRIMARY KEY,
  sandbox INTEGER AS (key >> 40),
  ordinal INTEGER AS (key & 0xFFFFFFFFFF),
  provider TEXT NOT NULL,
  reference TEXT NOT NULL,
  channel TEXT NOT NULL,
  destination TEXT NOT NULL,
  sender TEXT NOT NULL,
  text TEXT NOT NULL,
  code TEXT,
  -- Where a code was found that the app made.
  code_source TEXT,
  submitted_at INTEGER NOT NULL,
  arrives_at INTEGER,
  receipts TEXT NOT NULL,
  -- NULL: it arrives with its submission, in the order of the ordinals, or never. 0: it is on its way until
  -- `arrives_at`; -1: until then or until the next message to the destination. Else the place in the order of
  -- arrival, which is the ordinal of the event.
  arrival INTEGER,
  -- NULL: it is with whoever has the number now. Else who had it when the message came: see `Holder`.
  holder TEXT
) STRICT;
-- Few messages are late, so these cost almost nothing.
CREATE INDEX messages_late ON messages (sandbox, arrival) WHERE arrival <> 0;
CREATE INDEX messages_late_by_destination ON messages (sandbox, destination, arrival) WHERE arrival <> 0;

-- The text and the result of each call, by the ordinal of its message.
CREATE TABLE calls (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  ordinal INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  key INTEGER PRIMARY KEY,
  sandbox INTEGER AS (key >> 40),
  ordinal INTEGER AS (key & 0xFFFFFFFFFF),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  provider TEXT NOT NULL,
  subject INTEGER NOT NULL,
  destination TEXT NOT NULL
) STRICT;

CREATE TABLE agenda (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  due_at INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject INTEGER NOT NULL,
  detail INTEGER NOT NULL,
  -- The trace of the request that has scheduled it: traceparent, and tracestate on a second line.
  trace TEXT,
  -- The former holder of a number whose messages stay with them: the same as in messages.
  holder TEXT,
  PRIMARY KEY (sandbox, due_at, ordinal)
) STRICT, WITHOUT ROWID;

-- Webhooks with their attempts, and the keys that sign them.
CREATE TABLE webhooks (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  kind TEXT NOT NULL,
  url TEXT NOT NULL,
  subject INTEGER NOT NULL,
  detail TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL
    CHECK (state = 'pending' OR state = 'delivered' OR state = 'failed' OR state = 'refused'
      OR state = 'dropped' OR state = 'lost'),
  why TEXT,
  -- The time of the next scheduled attempt; NULL if there is none.
  next_at INTEGER,
  -- When an attempt became due; NULL if none is due or running. Replays are not part of the schedule.
  ready_at INTEGER,
  -- Scheduled attempts so far.
  tries INTEGER NOT NULL DEFAULT 0,
  -- The request: all attempts send the same bytes. NULL until the first attempt.
  fields TEXT,
  body BLOB,
  -- What is wrong with it on purpose; NULL: nothing.
  fault TEXT,
  -- Scheme and authority of the URL: webhooks to one receiver are sent one after the other.
  destination TEXT NOT NULL DEFAULT '',
  -- As in agenda.
  trace TEXT,
  PRIMARY KEY (sandbox, ordinal)
-- With a rowid, as records.
) STRICT;
CREATE INDEX webhooks_pending ON webhooks (sandbox, ordinal) WHERE state = 'pending';
CREATE INDEX webhooks_by_destination ON webhooks (sandbox, destination, ready_at, ordinal)
  WHERE ready_at IS NOT NULL;
CREATE INDEX webhooks_by_subject ON webhooks (sandbox, subject, provider, ordinal);
CREATE INDEX webhooks_unrendered ON webhooks (sandbox, ready_at, ordinal)
  WHERE ready_at IS NOT NULL AND fields IS NULL;

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
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  name TEXT NOT NULL,
  private_pem TEXT NOT NULL,
  public_pem TEXT NOT NULL,
  PRIMARY KEY (sandbox, name)
) STRICT, WITHOUT ROWID;

-- Silent verifications, and the settings of the operators' gateway.
CREATE TABLE silent_sessions (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  ordinal INTEGER NOT NULL,
  provider TEXT NOT NULL,
  number TEXT NOT NULL,
  -- The ordinal of the verification, and the number of its attempt.
  verification INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  single_use INTEGER NOT NULL,
  return_url TEXT NOT NULL,
  -- The outcome set by a scenario. NULL: the record decides, or the gateway was not asked yet.
  planned_outcome TEXT,
  details TEXT NOT NULL,
  opened_at INTEGER,
  -- How many times the gateway's finding has changed. The grant depends on it.
  findings INTEGER NOT NULL DEFAULT 0,
  outcome TEXT,
  handset TEXT,
  bearer TEXT,
  concluded_at INTEGER,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX silent_sessions_by_verification ON silent_sessions (sandbox, verification, ordinal);

-- A sandbox without a row has the default settings.
CREATE TABLE gateways (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (id),
  mode TEXT NOT NULL CHECK (mode = 'magic' OR mode = 'strict'),
  hops INTEGER NOT NULL,
  tls INTEGER NOT NULL
) STRICT;

-- Apps on handsets, the pushes sent to them, and their challenges.
CREATE TABLE devices (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
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
  -- ok, unregistered, mismatch, quota, thirdparty or flaky:N.
  token_state TEXT NOT NULL DEFAULT 'ok',
  is_online INTEGER NOT NULL DEFAULT 1,
  -- The person's reaction to challenges; NULL: that of the number's record.
  behaviour TEXT,
  -- How long the person needs, in milliseconds.
  answer_after INTEGER,
  -- NULL: nothing is wrong.
  condition TEXT,
  -- How far the handset's clock is ahead, in seconds.
  clock_offset INTEGER,
  -- An app on iOS has two tokens: the one that its provider knows, and the one of Apple's gateway.
  apns_token TEXT,
  -- When the state of the tokens was set.
  state_since INTEGER,
  PRIMARY KEY (sandbox, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX devices_by_holder ON devices (sandbox, holder, ordinal);
CREATE INDEX devices_by_token ON devices (sandbox, push_token, ordinal) WHERE push_token IS NOT NULL;
CREATE INDEX devices_by_apns_token ON devices (sandbox, apns_token, ordinal) WHERE apns_token IS NOT NULL;

-- Tokens that were replaced by new ones.
CREATE TABLE retired_tokens (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  token TEXT NOT NULL,
  retired_at INTEGER,
  PRIMARY KEY (sandbox, token)
) STRICT, WITHOUT ROWID;

-- The payload of each push and its receipts, by the ordinal of its message.
CREATE TABLE pushes (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
  ordinal INTEGER NOT NULL,
  device INTEGER NOT NULL,
  token TEXT NOT NULL,
  payload TEXT NOT NULL,
  delivered_at INTEGER,
  read_at INTEGER,
  -- Pushes of one group replace each other while their device is offline; those with the same collapse id
  -- always do.
  storage_group TEXT,
  collapse_id TEXT,
  -- The ordinal of the newer push.
  replaced_by INTEGER,
  PRIMARY KEY (sandbox, ordinal)
-- With a rowid, as records.
) STRICT;
CREATE INDEX pushes_by_device ON pushes (sandbox, device, ordinal);
CREATE INDEX pushes_by_storage_group ON pushes (sandbox, device, storage_group, ordinal)
  WHERE storage_group IS NOT NULL;
CREATE INDEX pushes_by_collapse_id ON pushes (sandbox, device, collapse_id, ordinal)
  WHERE collapse_id IS NOT NULL;
CREATE INDEX pushes_by_token ON pushes (sandbox, token, ordinal);

-- All push requests, also the refused ones.
CREATE TABLE push_attempts (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
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

CREATE TABLE challenges (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id),
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

-- Workshops: named sets of sandboxes whose participants solve the tasks of a story.
-- Times are on the clock of the default sandbox.
CREATE TABLE workshops (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  story TEXT NOT NULL,
  flavour TEXT NOT NULL,
  -- The tasks as they were when the workshop was created.
  tasks TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Sandboxes are named, because a reset gives a sandbox another id.
CREATE TABLE participants (
  workshop INTEGER NOT NULL REFERENCES workshops (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  sandbox_name TEXT NOT NULL UNIQUE,
  phrase TEXT NOT NULL UNIQUE,
  note TEXT NOT NULL DEFAULT '',
  -- The current task, and how many of its steps have happened.
  task INTEGER NOT NULL DEFAULT 0,
  step INTEGER NOT NULL DEFAULT 0,
  -- The newest ordinal of the sandbox when the step began.
  seen INTEGER NOT NULL DEFAULT 0,
  -- Records of subscribers from before the current task.
  undo TEXT NOT NULL DEFAULT '[]',
  active_at INTEGER,
  PRIMARY KEY (workshop, position),
  UNIQUE (workshop, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE task_results (
  workshop INTEGER NOT NULL,
  position INTEGER NOT NULL,
  task INTEGER NOT NULL,
  why TEXT,
  done_at INTEGER,
  -- When the participant could begin with the task.
  opened_at INTEGER,
  tried INTEGER NOT NULL DEFAULT 1,
  -- 1 if `why` is about a failure on purpose.
  on_purpose INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workshop, position, task),
  FOREIGN KEY (workshop, position) REFERENCES participants (workshop, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
