/* @name resetUsage */
-- Resets the number of jobs that the current organization has created today, and returns it.
WITH removed AS (
  DELETE FROM usage_counters WHERE day = (current_ts() AT TIME ZONE 'UTC')::date RETURNING jobs_created
)
SELECT coalesce(sum(jobs_created), 0)::bigint AS "jobs!" FROM removed;
