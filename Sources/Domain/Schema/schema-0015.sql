-- What a sandbox may use of a shared server. A sandbox without a row has no limit of its own.
-- Times are milliseconds on the server's clock, not on the sandbox's.

CREATE TABLE quotas (
  sandbox INTEGER PRIMARY KEY REFERENCES sandboxes (id) ON DELETE CASCADE,
  ttl INTEGER CHECK (ttl > 0),
  last_request_at INTEGER NOT NULL,
  messages INTEGER CHECK (messages > 0),
  requests_per_second INTEGER CHECK (requests_per_second > 0),
  stored_bytes INTEGER CHECK (stored_bytes > 0)
) STRICT;
