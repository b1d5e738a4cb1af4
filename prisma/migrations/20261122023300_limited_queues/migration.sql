-- The few queues that bound how many of their jobs are worked on at once: each batch of completions asks for them, and organizations
-- without any pay one probe of an empty index.
CREATE INDEX queue_config_limited ON queue_config (organization_id, queue_name) WHERE settings ? 'concurrency';
