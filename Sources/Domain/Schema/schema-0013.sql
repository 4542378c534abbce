-- The pushes to a token or to the device that has it, which phones and tests wait for.

CREATE INDEX pushes_by_token ON pushes (sandbox, token, ordinal);
CREATE INDEX pushes_by_device ON pushes (sandbox, device, ordinal);
