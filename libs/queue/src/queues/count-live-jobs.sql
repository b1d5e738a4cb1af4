/* @name countLiveJobs */
-- Live jobs of one queue. Relies on: the partial indexes of job_queue, which together cover every row.
SELECT (
  (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'ready'
    AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName!
    AND state IN ('scheduled', 'retrying') AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND state = 'leased'
    AND dependencies_met)
  + (SELECT count(*) FROM job_queue WHERE organization_id = :organizationId! AND queue_name = :queueName! AND NOT dependencies_met)
) AS "live!";
