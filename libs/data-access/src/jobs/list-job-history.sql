/* @name listJobHistory */
-- One page of the history of a job, and its number of events. No row: the job does not exist in the organization and :queues (null =
-- all), or its queue is being deleted. One row without an event: the page lies beyond the end.
-- Created, claimed and completed come from the record and the live row; job_history has the rest. A row of job_history about an attempt
-- stands for its claim and its end. Ids are derived from what makes the event unique, so that they are the same on each call, also
-- after the claim of a running attempt has become part of a record. The first event is always `created`, and `completed` the last.
-- Relies on the primary keys of jobs and job_queue and on job_history_job; rows of job_history are not older than their job, which
-- leaves out its older partitions.
WITH job AS MATERIALIZED (
  SELECT id, organization_id, queue_name, created_at, created_by, scheduled_at, expires_at, started_at, completed_at, outcome, retry_count,
    assigned_worker_id, lease_id, parent_job_id, workflow_id
  FROM jobs j
  WHERE organization_id = :organizationId! AND id = :id! AND (:queues::text[] IS NULL OR queue_name = ANY (:queues))
    AND NOT EXISTS (
      SELECT FROM queue_deletions x
      WHERE x.organization_id = :organizationId! AND x.queue_name = j.queue_name AND j.created_at <= x.deleted_until)
), past AS MATERIALIZED (
  SELECT h.*, coalesce((h.details ->> 'will_retry')::boolean, true) AS will_retry
  FROM job CROSS JOIN LATERAL (
    SELECT * FROM job_history
    WHERE organization_id = :organizationId! AND job_id = :id! AND id >= uuid_at(job.created_at - interval '1 hour') OFFSET 0
  ) AS h
), events (id, rank, event, at, worker_id, lease_id, attempt, actor, error, details) AS (
  SELECT md5(:id!::text || ' created')::uuid, 0, 'created', created_at, NULL, NULL::uuid, NULL::integer, created_by, NULL,
    json_strip_nulls(json_build_object('queue_name', queue_name, 'scheduled_at', scheduled_at, 'expires_at', expires_at,
      'parent_job_id', parent_job_id, 'workflow_id', workflow_id))
  FROM job
  UNION ALL
  SELECT md5(:id!::text || ' claimed ' || q.lease_id)::uuid, 2, 'claimed', q.started_at, q.worker_id, q.lease_id, q.retry_count + 1,
    NULL, NULL, NULL
  FROM job JOIN job_queue q ON q.organization_id = job.organization_id AND q.job_id = job.id WHERE q.state = 'leased'
  UNION ALL
  SELECT md5(:id!::text || step.key)::uuid, step.rank, step.event, step.at, assigned_worker_id, lease_id, retry_count + 1, NULL, NULL, NULL
  FROM job CROSS JOIN LATERAL (VALUES
    (' claimed ' || lease_id, 2, 'claimed', started_at), (' completed', 9, 'completed', completed_at)
  ) AS step(key, rank, event, at)
  WHERE outcome = 'completed'
  UNION ALL
  SELECT md5(:id!::text || ' claimed ' || coalesce(lease_id, id))::uuid, 2, 'claimed', started_at, worker_id, lease_id, attempt, NULL, NULL,
    NULL
  FROM past WHERE started_at IS NOT NULL
  UNION ALL
  SELECT id, CASE WHEN event IN ('activated', 'dependencies_met') THEN 1 WHEN event IN ('retried', 'cancelled') THEN 6 ELSE 3 END, event, at,
    worker_id, lease_id, attempt, actor, error, details
  FROM past
  UNION ALL
  SELECT md5(id || ' deadlettered')::uuid, 4, 'deadlettered', at, worker_id, lease_id, attempt, actor, error, json_build_object('cause', event)
  FROM past WHERE NOT will_retry
), numbered AS (
  SELECT *, row_number() OVER (ORDER BY rank = 0 DESC, rank = 9, at, rank, id) AS number FROM events
), page AS (
  SELECT * FROM numbered
  ORDER BY CASE WHEN :ascending! THEN number ELSE -number END LIMIT :limit! OFFSET :offset!
)
SELECT page.id AS "id?", page.event AS "event?", page.at AS "at?", page.worker_id AS "worker_id?", page.lease_id AS "lease_id?",
  page.attempt AS "attempt?", page.actor AS "actor?", page.error AS "error?", page.details AS "details?",
  (SELECT count(*) FROM events) AS "total!"
FROM job LEFT JOIN page ON true
ORDER BY CASE WHEN :ascending! THEN page.number ELSE -page.number END;
