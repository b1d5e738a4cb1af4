/* @name countActiveJobs */
-- Number of jobs of :queues that run or could run now: neither delayed nor waiting for a retry or for parents.
SELECT count(*) AS "active!" FROM job_queue
WHERE organization_id = :organizationId! AND queue_name = ANY (:queues!)
  AND (state = 'leased' OR (state = 'ready' AND dependencies_met));
