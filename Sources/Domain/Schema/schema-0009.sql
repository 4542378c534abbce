-- The webhooks of a verification or message, which lists show.

CREATE INDEX webhooks_by_subject ON webhooks (sandbox, subject, provider, ordinal);
