/* @name deleteFinishedJobs */
-- Deletes finished jobs past their organization's age, with their idempotency keys and their edges to parents.
-- Live jobs and dead letters stay, whatever their age.
-- :days to keep, one for each of :organizationIds.
-- Index: jobs_newest: a job is created before it ends, so what ended long ago is among what was created long ago.
WITH horizon AS (
  SELECT org, now() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT j.id FROM horizon h CROSS JOIN LATERAL (
    SELECT id FROM jobs
    WHERE organization_id = h.org AND created_at > '-infinity' AND created_at < h.oldest AND completed_at < h.oldest
      AND outcome IN ('completed', 'cancelled')
    LIMIT :limit!
  ) j LIMIT :limit!
), gone AS (
  DELETE FROM jobs j USING old WHERE j.id = old.id AND j.outcome IN ('completed', 'cancelled') RETURNING j.id
), keys AS (
  DELETE FROM idempotency_keys k USING gone WHERE k.job_id = gone.id
), edges AS (
  DELETE FROM job_dependencies d USING gone WHERE d.job_id = gone.id
)
SELECT count(*) AS "deleted!" FROM gone;
