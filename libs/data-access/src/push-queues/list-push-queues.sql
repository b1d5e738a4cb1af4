/* @name listPushQueues */
-- Push queues of all organizations that are not paused, with the settings of their receivers, the plan of their organization, and whether
-- each has a job that can be claimed now. Of more than :limit, each organization has its first ones, so that none takes the places of the others.
-- Index: queue_config_push, queue_config_push_jobs, job_queue_claim, job_queue_waiting.
SELECT c.organization_id AS "organizationId", c.queue_name AS "queueName", o.plan_tier AS "planTier", o.custom_limits AS "customLimits",
  jsonb_build_object('push', c.settings -> 'push', 'callback_url', c.settings -> 'callback_url',
    'callback_headers', c.settings -> 'callback_headers', 'callback_secret', c.settings -> 'callback_secret',
    'callback_timeout_seconds', c.settings -> 'callback_timeout_seconds', 'concurrency', c.settings -> 'concurrency') AS "settings!",
  EXISTS (
    SELECT FROM job_queue q
    WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state = 'ready' AND q.dependencies_met
  ) OR EXISTS (
    SELECT FROM job_queue q
    WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state IN ('scheduled', 'retrying')
      AND q.due_at <= current_ts()
  ) AS "hasWork!"
FROM (
  SELECT organization_id, queue_name, settings FROM queue_config
  WHERE enabled AND (jsonb_typeof(settings -> 'callback_url') = 'string' OR settings -> 'push' = 'true')
  ORDER BY row_number() OVER (PARTITION BY organization_id ORDER BY queue_name), organization_id LIMIT :limit!
) AS c
JOIN organizations o ON o.id = c.organization_id;
