-- What a schedule has done, the newest first, with what has become of its jobs; retention may have removed those.
-- $1 organization, $2 schedule, $3 limit, $4 offset. Index: schedule_runs_newest; primary keys of jobs and job_queue.
SELECT
  r.id, r.schedule_id, r.job_id, r.status, r.error_message, r.started_at, r.completed_at,
  (SELECT j.status FROM job_records j WHERE j.organization_id = $1 AND j.id = r.job_id) AS job_status
FROM schedule_runs r
WHERE r.organization_id = $1 AND r.schedule_id = $2
ORDER BY r.started_at DESC, r.id DESC LIMIT $3 OFFSET $4
