-- The pushes to a token, which phones and tests wait for.

CREATE INDEX pushes_by_token ON pushes (sandbox, token, ordinal);
