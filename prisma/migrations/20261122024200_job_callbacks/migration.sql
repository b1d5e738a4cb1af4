-- Settings of one job that take precedence over those of its queue: callback and backoff, under the names of queue_config.settings. A
-- schedule's are copied to its jobs. Null columns without a default: no row is rewritten, and the previous release does not name them.
ALTER TABLE jobs ADD COLUMN settings jsonb;
ALTER TABLE schedules ADD COLUMN settings jsonb;

-- Queues whose jobs are pushed although the queue itself names no receiver (queue_config_push has those that do).
CREATE INDEX queue_config_push_jobs ON queue_config (organization_id, queue_name) WHERE enabled AND settings -> 'push' = 'true';
