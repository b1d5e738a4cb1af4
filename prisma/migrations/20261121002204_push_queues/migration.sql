-- The queues whose jobs are sent to a URL; few among many, and looked for all the time.
CREATE INDEX queue_config_push ON queue_config (organization_id, queue_name)
  WHERE enabled AND jsonb_typeof(settings -> 'callback_url') = 'string';
