/* @name deleteUsageCounters */
-- Deletes counters of days that no quota and no report uses.
-- :days retention period of each of :organizationIds.
-- Index: usage_counters_pkey.
WITH horizon AS (
  SELECT org, (current_ts() AT TIME ZONE 'UTC')::date - days AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT u.* FROM horizon h CROSS JOIN LATERAL (
    SELECT organization_id, day, slot FROM usage_counters WHERE organization_id = h.org AND day < h.oldest LIMIT :limit!
  ) u LIMIT :limit!
), removed AS (
  DELETE FROM usage_counters u USING old
  WHERE (u.organization_id, u.day, u.slot) = (old.organization_id, old.day, old.slot) RETURNING u.day
)
SELECT count(*) AS "deleted!" FROM removed;
