-- Deletes counters of days that no limit and no report looks at any more.
--   $1 organizations  $2 days to keep, one for each  $3 rows at most
-- Index: usage_counters_pkey.
WITH horizon AS (
  SELECT org, (now() AT TIME ZONE 'UTC')::date - days AS oldest FROM unnest($1::uuid[], $2::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT u.* FROM horizon h CROSS JOIN LATERAL (
    SELECT organization_id, day, slot FROM usage_counters WHERE organization_id = h.org AND day < h.oldest LIMIT $3
  ) u LIMIT $3
), gone AS (
  DELETE FROM usage_counters u USING old
  WHERE (u.organization_id, u.day, u.slot) = (old.organization_id, old.day, old.slot) RETURNING u.day
)
SELECT count(*) AS deleted FROM gone
