-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS dead_letters_of_queue ON dead_letters (organization_id, queue_name, created_at, job_id);
