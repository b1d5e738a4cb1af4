-- Deletes runs of schedules past their organization's age.
--   $1 organizations  $2 days to keep, one for each  $3 rows at most
-- Index: schedules_newest, schedule_runs_newest.
WITH horizon AS (
  SELECT org, now() - make_interval(days => days) AS oldest FROM unnest($1::uuid[], $2::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT r.id FROM horizon h JOIN schedules s ON s.organization_id = h.org CROSS JOIN LATERAL (
    SELECT id FROM schedule_runs WHERE schedule_id = s.id AND started_at < h.oldest LIMIT $3
  ) r LIMIT $3
), gone AS (
  DELETE FROM schedule_runs r USING old WHERE r.id = old.id RETURNING r.id
)
SELECT count(*) AS deleted FROM gone
