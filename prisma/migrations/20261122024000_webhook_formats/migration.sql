-- The body that a webhook's receiver expects: the json envelope, or a chat message. A constant default: no row is rewritten, and the
-- previous release goes on writing without naming the column.
ALTER TABLE outgoing_webhooks
  ADD COLUMN format text NOT NULL DEFAULT 'json' CHECK (format IN ('json', 'slack', 'discord', 'teams'));
