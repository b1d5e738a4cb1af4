/* @name countActiveJobs */
-- Number of jobs of :queues that run or could run now: they wait neither for parents nor for a time that is to come. One whose time has come
-- counts before it is activated too: a claim may take it then.
SELECT count(*) AS "active!" FROM job_queue
WHERE organization_id = :organizationId! AND queue_name = ANY (:queues!)
  AND (state = 'leased' OR (dependencies_met AND (state = 'ready' OR due_at <= current_ts())));
