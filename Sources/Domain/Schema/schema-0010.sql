-- The webhooks that are due and have no request yet: each is rendered as soon as it is due.

CREATE INDEX webhooks_unrendered ON webhooks (sandbox, ready_at, ordinal)
  WHERE ready_at IS NOT NULL AND fields IS NULL;
