/* @name listWorkflows */
-- Workflows, newest first, among the next :rows of a kind; or one of them. Finished workflows have stored counters; those of open and
-- cancelled workflows are counted from their jobs, at most 100 each.
-- :id null = all; :kind all, open or unsuccessful; :queues that the caller may access, null = all; :statuses null = any; :afterTime and
-- :afterId of the last workflow of the previous page, null = the first page.
-- Relies on workflows_newest, workflows_open or workflows_unsuccessful, and the primary keys of workflows, workflow_jobs, jobs and job_queue.
SELECT
  w.id, w.organization_id, w.name, w.description, seen.status AS "status!", w.total_jobs,
  CASE WHEN kept.ended THEN w.completed_jobs ELSE n.completed END AS "completed_jobs!",
  CASE WHEN kept.ended THEN w.failed_jobs ELSE n.failed END AS "failed_jobs!",
  n.pending AS "pending_jobs!", n.processing AS "processing_jobs!", w.metadata::text AS metadata, w.created_at,
  coalesce(w.started_at, n.started_at) AS started_at, w.completed_at, w.queue_names
FROM (
  SELECT * FROM workflows
  WHERE organization_id = :organizationId! AND (:id::uuid IS NULL OR id = :id)
    AND (:kind! <> 'open' OR status IN ('pending', 'running')) AND (:kind! <> 'unsuccessful' OR status IN ('failed', 'cancelled'))
    AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
  ORDER BY created_at DESC, id DESC LIMIT :rows!
) w
CROSS JOIN LATERAL (SELECT w.status IN ('completed', 'failed') AS ended) kept
CROSS JOIN LATERAL (
  SELECT
    count(*) FILTER (WHERE CASE WHEN j.id IS NULL THEN m.has_completed ELSE j.outcome = 'completed' END)::int AS completed,
    count(*) FILTER (WHERE j.outcome IN ('failed', 'deadletter'))::int AS failed,
    count(*) FILTER (WHERE q.state <> 'leased')::int AS pending,
    count(*) FILTER (WHERE q.state = 'leased')::int AS processing,
    min(coalesce(q.started_at, j.started_at)) AS started_at
  FROM workflow_jobs m
  LEFT JOIN jobs j ON j.id = m.job_id
  LEFT JOIN job_queue q ON q.job_id = j.id
  WHERE m.workflow_id = w.id AND NOT kept.ended
) n
-- A claim does not update the workflow, to keep claims fast: a pending workflow is running as soon as one of its jobs has started.
CROSS JOIN LATERAL (
  SELECT CASE WHEN w.status = 'pending' AND n.started_at IS NOT NULL THEN 'running' ELSE w.status END AS status
) seen
WHERE (:queues::text[] IS NULL OR w.queue_names <@ :queues)
  -- The stored status is checked first, so that jobs are read only if necessary.
  AND (:statuses::text[] IS NULL OR w.status = ANY (:statuses) OR ('running' = ANY (:statuses) AND w.status = 'pending'))
  AND (:statuses::text[] IS NULL OR seen.status = ANY (:statuses))
ORDER BY w.created_at DESC, w.id DESC
LIMIT :limit! OFFSET :offset!;

/* @name findWorkflowsEnd */
-- The last of the next :rows workflows of a kind; none if there are fewer.
SELECT created_at AS at, id FROM workflows
WHERE organization_id = :organizationId!
  AND (:kind! <> 'open' OR status IN ('pending', 'running')) AND (:kind! <> 'unsuccessful' OR status IN ('failed', 'cancelled'))
  AND (:afterTime::timestamptz IS NULL OR (created_at, id) < (:afterTime, :afterId::uuid))
ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET :rows!::bigint - 1;
