-- no-transaction
-- Counts and pages of groups read this index alone, and no row of jobs but one sample for each group shown.
CREATE INDEX CONCURRENTLY IF NOT EXISTS dead_letters_groups ON dead_letters (organization_id, group_id, dead_at, job_id) INCLUDE (queue_name);
