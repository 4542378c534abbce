-- A sandbox that is being made beside the one that it replaces has the same credentials. Which of them counts is decided
-- by the names of the sandboxes: those that begin with ~ are hidden.

CREATE TABLE credentials_of_sandboxes (
  sandbox INTEGER NOT NULL REFERENCES sandboxes (id) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  name TEXT NOT NULL,
  secret TEXT NOT NULL,
  account TEXT NOT NULL,
  PRIMARY KEY (sandbox, provider, name)
) STRICT, WITHOUT ROWID;
INSERT INTO credentials_of_sandboxes SELECT sandbox, provider, name, secret, account FROM credentials;
DROP TABLE credentials;
ALTER TABLE credentials_of_sandboxes RENAME TO credentials;
