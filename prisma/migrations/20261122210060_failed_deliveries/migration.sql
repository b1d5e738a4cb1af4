-- no-transaction
-- The deliveries of a webhook that failed, of which there are few among those that arrived. A delivery writes it only when it fails.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_failed ON webhook_deliveries (webhook_id, created_at DESC, id DESC) WHERE status = 'failed';
