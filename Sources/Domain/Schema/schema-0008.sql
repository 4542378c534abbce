-- The receiver of each webhook: webhooks to one receiver are sent one after the other.

-- Scheme and authority of the URL. Of webhooks from older versions, the whole URL.
ALTER TABLE webhooks ADD COLUMN destination TEXT NOT NULL DEFAULT '';
UPDATE webhooks SET destination = url;
CREATE INDEX webhooks_by_destination ON webhooks (sandbox, destination, ready_at, ordinal)
WHERE ready_at IS NOT NULL;
