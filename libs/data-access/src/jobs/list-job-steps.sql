/* @name listJobSteps */
-- The steps of a job in the order in which they began. `is_done` of a wait: its signal was given, or its deadline has passed.
-- :queues that the caller may access, null = all.
-- Relies on the primary keys of jobs and job_steps.
SELECT s.name AS "name!", s.kind AS "kind!", s.created_at AS "created_at!", s.finished_at, s.deadline, s.result,
  (s.finished_at IS NOT NULL OR s.deadline <= current_ts()) AS "is_done!"
FROM job_steps s
WHERE s.organization_id = :organizationId! AND s.job_id = :id! AND EXISTS (
  SELECT FROM jobs j WHERE j.id = s.job_id AND (:queues::text[] IS NULL OR j.queue_name = ANY (:queues)))
ORDER BY s.created_at, s.name;
