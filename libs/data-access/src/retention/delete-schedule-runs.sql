/* @name deleteScheduleRuns */
-- Deletes runs of schedules after the retention period of their organization.
-- :days retention period of each of :organizationIds.
-- Index: schedules_newest, schedule_runs_newest.
WITH horizon AS (
  SELECT org, current_ts() - make_interval(days => days) AS oldest FROM unnest(:organizationIds!::uuid[], :days!::int[]) AS h (org, days)
), old AS MATERIALIZED (
  SELECT r.id FROM horizon h JOIN schedules s ON s.organization_id = h.org CROSS JOIN LATERAL (
    SELECT id FROM schedule_runs WHERE schedule_id = s.id AND started_at < h.oldest LIMIT :limit!
  ) r LIMIT :limit!
), removed AS (
  DELETE FROM schedule_runs r USING old WHERE r.id = old.id RETURNING r.id
)
SELECT count(*) AS "deleted!" FROM removed;
