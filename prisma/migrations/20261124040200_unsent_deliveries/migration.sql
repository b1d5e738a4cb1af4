-- no-transaction
-- The deliveries of a webhook that are not over. All pending ones of the table were searched before, of whichever webhook.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_unsent ON webhook_deliveries (webhook_id, created_at DESC, id DESC) WHERE webhook_id IS NOT NULL AND status = 'pending';
