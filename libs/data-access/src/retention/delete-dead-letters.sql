/* @name deleteDeadLetters */
-- Deletes dead letters after the retention period of their organization, with everything that is kept about them.
-- :days retention period of each of :organizationIds.
-- Index: dead_letters_oldest_deaths.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT d.job_id FROM horizon h CROSS JOIN LATERAL (
    -- With their records: a transaction of an application holds one for as long as it likes, such as by a job with its idempotency key.
    SELECT d.job_id FROM dead_letters d JOIN jobs j ON j.id = d.job_id WHERE d.organization_id = h.org AND d.dead_at < h.oldest
    ORDER BY d.dead_at LIMIT :limit! FOR UPDATE SKIP LOCKED
  ) d LIMIT :limit!
), letters AS (
  DELETE FROM dead_letters d USING old WHERE d.job_id = old.job_id
), removed AS (
  DELETE FROM jobs j USING old WHERE j.id = old.job_id AND j.outcome = 'deadletter' RETURNING j.id, j.organization_id
), keys AS (
  DELETE FROM idempotency_keys k USING removed WHERE k.job_id = removed.id
), edges AS (
  DELETE FROM job_dependencies d USING removed WHERE d.job_id = removed.id
), marks AS (
  -- What needs one of them cannot run any more, which nothing else shows.
  UPDATE job_dependencies e SET cancelled_child = true FROM old c
  WHERE e.depends_on_job_id = c.job_id AND NOT EXISTS (SELECT FROM old other WHERE other.job_id = e.job_id)
), steps AS (
  DELETE FROM job_steps s USING removed WHERE s.job_id = removed.id
), logs AS (
  DELETE FROM job_logs l USING removed WHERE l.job_id = removed.id
), past AS (
  DELETE FROM job_history h USING removed r WHERE h.organization_id = r.organization_id AND h.job_id = r.id
)
SELECT count(*) AS "deleted!" FROM removed;
