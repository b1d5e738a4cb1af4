-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS job_queue_blocked_ids ON job_queue (job_id) WHERE NOT dependencies_met;
