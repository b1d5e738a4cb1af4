/* @name listScheduleRuns */
-- Runs of a schedule with the status of their jobs, newest first. The status is null when retention has deleted the job.
-- :afterTime and :afterId of the last run of the previous page, null = the first page.
-- Index: schedule_runs_newest; primary keys of jobs and job_queue.
SELECT
  r.id, r.schedule_id, r.job_id, r.status, r.error_message, r.started_at, r.completed_at, r.source,
  (SELECT j.status::job_status FROM job_records j WHERE j.organization_id = :organizationId! AND j.id = r.job_id) AS job_status
FROM schedule_runs r
WHERE r.organization_id = :organizationId! AND r.schedule_id = :scheduleId!
  AND (:afterTime::timestamptz IS NULL OR (r.started_at, r.id) < (:afterTime, :afterId::uuid))
ORDER BY r.started_at DESC, r.id DESC LIMIT :limit! OFFSET :offset!;
