/* @name deleteJobHistory */
-- Deletes job history after the retention period of its organization.
-- :days retention period of each of :organizationIds.
-- Index: job_history_job: a job is older than its history, so old history is found among old job ids. The history of a job with
-- an id from the future is dropped with its partition.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT r.id FROM horizon h CROSS JOIN LATERAL (
    SELECT id FROM job_history WHERE organization_id = h.org AND job_id < uuid_at(h.oldest) AND at < h.oldest LIMIT :limit!
  ) r LIMIT :limit!
), removed AS (
  DELETE FROM job_history r USING old WHERE r.id = old.id RETURNING r.id
)
SELECT count(*) AS "deleted!" FROM removed;
