-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS operation_items_failed ON operation_items (operation_id, checked_at, job_id) WHERE state = 'failed';
