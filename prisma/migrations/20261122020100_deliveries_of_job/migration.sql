-- no-transaction
-- The deliveries of one job, for its timeline.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_of_job ON webhook_deliveries (job_id, created_at DESC, id DESC) WHERE job_id IS NOT NULL;
