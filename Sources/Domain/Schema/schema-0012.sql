-- An app on iOS has two tokens: the one that its provider knows, and the one of Apple's gateway.

ALTER TABLE devices ADD COLUMN apns_token TEXT;
CREATE INDEX devices_by_apns_token ON devices (sandbox, apns_token, ordinal) WHERE apns_token IS NOT NULL;

-- When the state of the tokens was set; NULL for devices of older versions.
ALTER TABLE devices ADD COLUMN state_since INTEGER;
ALTER TABLE retired_tokens ADD COLUMN retired_at INTEGER;

-- Pushes of one group replace each other while their device is offline; those with the same collapse id always do.
ALTER TABLE pushes ADD COLUMN storage_group TEXT;
ALTER TABLE pushes ADD COLUMN collapse_id TEXT;
-- The ordinal of the newer push.
ALTER TABLE pushes ADD COLUMN replaced_by INTEGER;
CREATE INDEX pushes_by_device ON pushes (sandbox, device, ordinal);
CREATE INDEX pushes_by_storage_group ON pushes (sandbox, device, storage_group, ordinal)
WHERE storage_group IS NOT NULL;
CREATE INDEX pushes_by_collapse_id ON pushes (sandbox, device, collapse_id, ordinal)
WHERE collapse_id IS NOT NULL;
