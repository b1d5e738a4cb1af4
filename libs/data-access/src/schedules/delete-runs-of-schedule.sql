/* @name deleteRunsOfSchedule */
-- Deletes up to :limit runs of a schedule. Index: schedule_runs_newest.
WITH removed AS (
  DELETE FROM schedule_runs WHERE organization_id = :organizationId! AND id = ANY (ARRAY(
    SELECT id FROM schedule_runs WHERE organization_id = :organizationId! AND schedule_id = :scheduleId! LIMIT :limit!))
  RETURNING id
)
SELECT count(*) AS "deleted!" FROM removed;
