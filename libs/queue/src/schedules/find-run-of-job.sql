/* @name findRunOfJob */
SELECT started_at FROM schedule_runs
WHERE organization_id = :organizationId! AND schedule_id = :scheduleId! AND job_id = :jobId!;
