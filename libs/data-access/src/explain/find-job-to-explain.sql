/* @name findJobToExplain */
-- What decides when a job runs, from its record and its live row; without payload and result.
-- :queues that the caller may access, null = all.
-- `step` is the wait of its handler for which it is scheduled.
-- Relies on the primary keys of jobs, job_queue, job_steps and queue_deletions; the time in the id selects the partition.
SELECT
  j.id AS "id!", j.queue_name AS "queue_name!", q.state AS "state?", j.outcome, coalesce(q.dependencies_met, true) AS "dependencies_met!",
  j.dependency_mode, j.created_at AS "created_at!", j.updated_at AS "updated_at!", j.completed_at,
  q.due_at, q.due_at > current_ts() AS is_waiting, q.expires_at, q.expires_at <= current_ts() AS is_expired,
  coalesce(q.retry_count, j.retry_count) AS "retry_count!", j.max_retries AS "max_retries!", j.timeout_seconds AS "timeout_seconds!",
  CASE WHEN q.job_id IS NULL THEN j.started_at ELSE q.started_at END AS started_at,
  CASE WHEN q.job_id IS NULL THEN j.last_error ELSE q.last_error END AS last_error,
  j.settings ->> 'callback_url' AS callback_url, q.worker_id, q.lease_id, q.lease_expires_at, q.cancel_requested_at,
  asked.actor AS cancel_requested_by, asked.details ->> 'reason' AS cancel_reason,
  s.name AS "step?", s.kind AS "step_kind?", s.created_at AS "step_since?", current_ts() AS "checked_at!"
FROM jobs j LEFT JOIN job_queue q ON q.job_id = j.id AND q.organization_id = j.organization_id
-- Only of jobs with a request, by the index of a job's history.
LEFT JOIN LATERAL (
  SELECT h.actor, h.details FROM job_history h
  WHERE q.cancel_requested_at IS NOT NULL AND h.organization_id = j.organization_id AND h.job_id = j.id AND h.event = 'cancel_requested'
  ORDER BY h.at DESC LIMIT 1
) AS asked ON true
LEFT JOIN job_steps s
  ON s.job_id = q.job_id AND s.organization_id = q.organization_id AND s.finished_at IS NULL AND s.deadline = q.due_at AND q.state = 'scheduled'
WHERE j.organization_id = :organizationId! AND j.id = :id! AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues))
  AND NOT EXISTS (
    SELECT FROM queue_deletions d
    WHERE d.organization_id = j.organization_id AND d.queue_name = j.queue_name AND j.created_at <= d.deleted_until);
