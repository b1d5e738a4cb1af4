/* @name deleteWorkflows */
-- Deletes finished workflows after the retention period of their organization, once all of their jobs are deleted.
-- :days retention period of each of :organizationIds.
-- Index: workflows_newest, workflow_jobs_pkey, jobs_pkey.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT f.id FROM horizon h CROSS JOIN LATERAL (
    SELECT id FROM workflows f
    WHERE f.organization_id = h.org AND f.created_at < h.oldest AND f.completed_at < h.oldest
      AND f.status IN ('completed', 'failed', 'cancelled')
      AND NOT EXISTS (SELECT FROM workflow_jobs m JOIN jobs j ON j.id = m.job_id WHERE m.workflow_id = f.id)
    LIMIT :limit!
  ) f LIMIT :limit!
), removed AS (
  DELETE FROM workflows f USING old WHERE f.id = old.id RETURNING f.id
)
SELECT count(*) AS "deleted!" FROM removed;
