/* @name deleteFinishedJobs */
-- Deletes finished jobs after the retention period of their organization, with their idempotency keys, dependencies, steps, logs and history.
-- Kept are steps of workflows that have not ended, whose status is counted from them. Live jobs and dead letters are kept, and looked at again each time: :lookBackSeconds says how long before the period the jobs that are
-- looked at were created at the earliest, null = any time.
-- :days retention period of each of :organizationIds.
-- Index: workflows_pkey; job_history_job; jobs_newest: a job is created before it ends, so jobs that ended long ago are among the oldest jobs.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest, CASE
    WHEN :lookBackSeconds::float8 IS NULL THEN '-infinity' ELSE current_ts() - make_interval(days => days, secs => :lookBackSeconds)
  END AS since
  FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT j.id FROM horizon h CROSS JOIN LATERAL (
    SELECT id FROM jobs
    WHERE organization_id = h.org AND created_at > '-infinity' AND created_at >= h.since AND created_at < h.oldest
      AND completed_at < h.oldest
      AND outcome IN ('completed', 'cancelled')
      AND (workflow_id IS NULL OR NOT EXISTS (SELECT FROM workflows w WHERE w.id = jobs.workflow_id AND w.status IN ('pending', 'running')))
    -- What a retry holds is about to live: waiting for it, while others are locked, could be a deadlock.
    LIMIT :limit! FOR UPDATE SKIP LOCKED
  ) j LIMIT :limit!
), removed AS (
  DELETE FROM jobs j USING old WHERE j.id = old.id AND j.outcome IN ('completed', 'cancelled') RETURNING j.id, j.organization_id
), keys AS (
  DELETE FROM idempotency_keys k USING removed WHERE k.job_id = removed.id
), edges AS (
  DELETE FROM job_dependencies d USING removed WHERE d.job_id = removed.id
), steps AS (
  DELETE FROM job_steps s USING removed WHERE s.job_id = removed.id
), logs AS (
  DELETE FROM job_logs l USING removed WHERE l.job_id = removed.id
), past AS (
  DELETE FROM job_history h USING removed r WHERE h.organization_id = r.organization_id AND h.job_id = r.id
)
SELECT count(*) AS "deleted!" FROM removed;
