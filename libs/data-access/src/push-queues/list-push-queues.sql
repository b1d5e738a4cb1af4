/* @name listPushQueues */
-- All push queues of all organizations that are not paused, and whether each has a job that can be claimed now.
-- Index: queue_config_push, queue_config_push_jobs, job_queue_claim, job_queue_waiting.
SELECT c.organization_id, c.queue_name, c.settings,
  EXISTS (
    SELECT FROM job_queue q
    WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state = 'ready' AND q.dependencies_met
  ) OR EXISTS (
    SELECT FROM job_queue q
    WHERE q.organization_id = c.organization_id AND q.queue_name = c.queue_name AND q.state IN ('scheduled', 'retrying')
      AND q.due_at <= now()
  ) AS "has_work!"
FROM queue_config c
WHERE c.enabled AND (jsonb_typeof(c.settings -> 'callback_url') = 'string' OR c.settings -> 'push' = 'true')
LIMIT :limit!;
